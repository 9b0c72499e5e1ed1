import type { upkeep as en } from '../en/upkeep.ts'
import { zoneName } from './zone.ts'

export const upkeep: typeof en = {
  title: '花费与状态',
  periods: { 7: '7 天', 30: '30 天', 90: '90 天' },
  period: '时间段',
  csv: '下载 CSV',
  none: '这段时间还没有任何记录。给 Clew 一个任务，这里就会显示。',
  noPrices:
    '没有设置价格，所以不知道花费。请在 .env 里设置 MODEL_PRICES，例如 MODEL_PRICES=gpt-5.5=1.25/10（每百万个输入与输出 token 的价格），然后重启 Clew；从那时起开始计算。',
  zone: (zone) => `每天以${zoneName(zone)}的午夜为界。`,
  measures: { runs: '任务', time: '用时', tokens: 'token', cost: '花费' },
  ended: ([done, early, failed, stopped]) =>
    `完成 ${done}，${early === '0' ? '' : `提前结束 ${early}，`}失败 ${failed}，停止 ${stopped}`,
  each: (time) => `平均 ${time}，包括等人回答的时间`,
  inAndOut: (read, written) => `读入 ${read}，写出 ${written}`,
  perDay: '按天',
  chart: (measure, highest) => `每天的${measure}，最高的一天是 ${highest}。`,
  asTable: '每天的数据（表格）',
  day: '日期',
  states: { succeeded: '完成', failed: '失败', canceled: '停止' },
  by: { person: '人', channel: '频道', schedule: '日程', model: '模型' },
  noneOf: {
    person: '还没有人用过。',
    channel: '没有频道。',
    schedule: '没有日程运行过。',
    model: '没有用过模型。',
  },
  name: '名称',
  more: (count) => `另有 ${count} 项在 CSV 里。`,
  forecasts: {
    title: '预估',
    none: '还没有带预估的任务。一个频道或日程的第四项任务起才有预估。',
    held: (inside, all, percent) =>
      `${all} 项任务中有 ${inside} 项的调用次数在预估之内（${percent}%，目标 80%）。`,
  },
  health: '状态',
  lookAgain: '再检查一次',
  levels: { well: '正常', look: '请留意', trouble: '有问题' },
  failed: {
    title: '无法送达',
    none: '没有送达失败的消息。',
    kinds: {
      message: '消息',
      final: '报告',
      question: '提问',
      private: '仅一人可见的消息',
      other: '消息',
    },
    why: {
      gone: '频道或会话已经没有了，或者归档了。请先恢复它，再重新发送；也可以换个地方再问。',
      forbidden: 'Clew 不能在那里发言。请先邀请它或给它权限，再重新发送。',
      refused: '平台不接收，原因在下面；解决之后再重新发送。',
      broken: '试了三次都没发出去。原因见日志，更新版本后也许能好。',
    },
    again: '重新发送',
    states: { failed: '没有送达', waiting: '正在发送', sent: '已发送', over: '已有回答' },
    thread: '打开会话',
    gone: '会话已删除。',
  },
}
