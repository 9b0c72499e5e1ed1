import type * as english from '../en/places.ts'

export const setup: typeof english.setup = {
  title: '设置连接',
  lead: '已连接什么、还缺什么，以及要在 .env 文件里写什么。这里不会显示密钥，也不会向你要密钥。',
  again: '再检查一次',
  looking: '正在检查所有连接……',
  lookedAt: (time) => `检查于 ${time}。`,
  sum: (bad, notes) => {
    if (bad + notes === 0) return '一切正常。'
    const fix = bad === 0 ? '' : `${bad} 项需要处理`
    const look = notes === 0 ? '' : `${notes} 项请留意`
    return `${fix}${bad * notes === 0 ? '' : '，'}${look}。`
  },
  parts: {
    model: '模型',
    search: '搜索',
    store: '存储',
    settings: '设置',
    team: '文件夹、服务器和程序',
  },
  verdicts: { good: '正常', note: '请留意', bad: '需处理' },
  nothing: '还没有设置。',
  env: '写入 .env，每个“=”后面填你自己的值：',
  envWhole: '写入 .env：',
  manual: '见手册',
  restart: '下次检查会用 .env 里的新内容试一下；重启 Clew 后正式生效。',
  manualTitle: '手册',
  backToSetup: '返回设置连接',
}

export const calendar: typeof english.calendar = {
  title: '日历',
  month: '月份',
  before: '上个月',
  after: '下个月',
  today: '今天',
  none: '这个月没有安排，也没有记录。',
  more: (count) => `还有 ${count} 项`,
  loadMore: '加载更多日程',
  zone: (zone) => `以上均为 ${zone} 时间。`,
  turn: (hours, isForward, zone) => `时钟${isForward ? '拨快' : '拨慢'} ${hours} 小时（${zone}）`,
  entries: (count) => `${count} 项`,
  many: (count) => (count === null ? '超过 25 次' : `${count} 次`),
  reminder: '提醒',
  due: (time) => `截止 ${time}`,
  states: {
    planned: '已计划',
    paused: '已暂停：将跳过',
    running: '进行中',
    waiting: '等待回答',
    failed: '失败',
    canceled: '已停止',
    given_up: '没能办成',
    ran: '完成',
    late: '延后完成',
    missed: '错过',
    skipped: '跳过',
    reminded: '已提醒',
  },
  toThread: '前往会话',
  gone: '会话已删除',
  chosen: (title) => `关于“${title}”`,
  kept: 'Clew 保留每个日程最近 200 次的记录。',
}
