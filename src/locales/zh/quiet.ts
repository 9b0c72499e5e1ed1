import type { quiet as en } from '../en/quiet.ts'

export const quiet: typeof en = {
  summary: '勿扰时间：这段时间 Clew 不 @你；加 `--channel` 就对本频道所有人生效',
  usageNotes:
    '时间写成 `18:00-9:00`、`周末`、`工作日晚上 10 点到早上 7 点` 或 `9:00-18:00 以外`；跨夜的时段算在开始的那一天。只输入 `/quiet` 会显示现有设置；`/quiet off` 取消。你定在勿扰时间里的提醒和带 `--ping` 的日程，到时还是会 @你。',
  onlyPeople: '勿扰时间我不能替你设，请你自己来设。',
  set: {
    person: (hours, name) =>
      `${name}，你的勿扰时间设好了：${hours}。这段时间我照常发消息，但不 @你；你自己定在这段时间的提醒和日程除外。想取消：\`/quiet off\`。`,
    channel: (hours, name) =>
      `${name} 把本频道的勿扰时间设为：${hours}。这段时间我照常发消息，但不 @任何人；各人自己定在这段时间的提醒和日程除外。想取消：\`/quiet off --channel\`。`,
  },
  isNow: '现在就是勿扰时间。',
  ended: {
    person: (name) => `${name}，你的勿扰时间已取消，我会像平时一样 @你。`,
    channel: (name) => `${name} 取消了本频道的勿扰时间。各人自己的仍然有效。`,
  },
  none: '你还没有设置勿扰时间。可以这样设置：`/quiet 18:00-9:00, 周末`。',
  own: (hours) => `你的勿扰时间：${hours}。想取消：\`/quiet off\`。`,
  here: (hours) => `本频道的勿扰时间：${hours}。想取消：\`/quiet off --channel\`。`,
  outside: (hours) => `${hours} 以外`,
  always: '全天',
  weekdays: '工作日',
  weekends: '周六和周日',
  comma: '、',
  and: '；',
  window: ([from, to], { on, isNextDay }) =>
    `${on === null ? '' : `${on} `}${from} 至${isNextDay ? '次日 ' : ' '}${to}`,
}
