import type * as english from '../en/places.ts'
import { zoneName } from './zone.ts'

export const setup: typeof english.setup = {
  title: '设置连接',
  lead: '连上了什么、还缺什么、要设置什么，都在这里。密钥不会显示出来。',
  again: '再检查一次',
  looking: '正在检查所有连接……',
  lookedAt: (time) => `${time} 检查过。`,
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
  signIns: {
    title: '所有人共用的登录',
    lead: 'Clew 用你在这里登录的账号，替所有人使用这些服务器。',
    isIn: (server) => `${server}：已登录。`,
    isOut: (server) => `${server}：还没有人登录，它的工具暂时不能使用。`,
    begin: '登录',
    open: '打开登录页面',
    end: '退出登录',
    impossible: (server) =>
      `现在无法在“${server}”登录。请检查服务器能否连上，以及 WEB_URL 是不是本页的地址。`,
  },
  nothing: '还没有设置。',
  env: '写入 .env，每个“=”后面填你自己的值：',
  envWhole: '写入 .env：',
  manual: '见手册',
  restart: '下次检查会用 .env 里的新内容试一下；重启 Clew 后正式生效。',
  form: {
    connect: { model: () => '连接模型', other: (name) => `连接 ${name}` },
    change: { model: () => '更换模型', other: (name) => `更改 ${name}` },
    isSet: '已设置，不改就留空',
    isNotSet: '还没设置',
    choices: '找到的',
    other: '其他，用密钥或地址',
    open: { slack: '在 Slack 建应用', other: '打开平台的页面' },
    submit: '试一下并保存',
    skip: '先跳过',
    trying: '正在测试……',
    failed: '没有保存。请改好再试。',
    failedRunning: '刚才试的不行，没有保存；Clew 正在用的不受影响。',
    missing: '还没设置的项都要填。',
    unclear: '这不是 Clew 认得的密钥，也不是地址。',
    unreadable: (problems) => `有些设置还不能用，请先改好：\n${problems}`,
    written: (names) => `可以用。已写入 .env：${names}。`,
    before: '原来的文件存成了 .env.before。',
    overruled: (names) => `环境变量里也设了 ${names}，它优先于 .env：请在那里改。`,
    notWritten: (why, names) => `可以用，但 .env 没有改动：${why}。请自己设置 ${names}。`,
    waiting: '重启之后，Clew 才会用上新保存的设置。',
    restart: '现在重启 Clew',
    byHand:
      '几秒就好，什么都不会丢。也可以在运行 Clew 的地方停掉它，再输入 `npm start`。它的其他进程要另外重启。',
    restarting: 'Clew 正在重新启动……',
    restarted: 'Clew 已经重启，新的设置生效了。',
    notBack: 'Clew 还没有回应。请看看它的日志。',
    notUsed: (problem) => `用新保存的设置启动不了（${problem}），Clew 还在用原来的设置。`,
    none: {
      setup_elsewhere:
        '这里没有表单：只有在运行 Clew 的机器上（中间没有代理）或者用访问令牌才能改设置。请在那台机器上打开本页，或者设置 WEB_TOKEN 并用它登录，或者把下面的行写进那里的 .env 再重启 Clew。',
      not_found:
        '这里没有表单：这个 Clew 由一个程序启动，设置也由它给出。请把下面的行写到那个程序读取设置的地方，再重启它。',
    },
  },
  manualTitle: '手册与帮助',
  manualLead: '怎么用 Clew，怎么运行它。命令在每个会话里都能用，发 /help 就能看到。',
  manualSearch: '搜索手册和所有设置',
  manualFound: (count) => `${count} 处`,
  manualEnglish: '这一页还没有中文版，下面是英文原文。',
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
  zone: (zone) => `以上都是${zoneName(zone)}。`,
  turn: (hours, isForward, zone) =>
    `时钟${isForward ? '拨快' : '拨慢'} ${hours} 小时（${zoneName(zone).trim()}）`,
  entries: (count) => `${count} 项`,
  many: (count) => (count === null ? '超过 25 次' : `${count} 次`),
  times: (state, count) => `${state} ${count}`,
  list: (states) => states.join('，'),
  reminder: '提醒',
  due: (time) => `截止 ${time}`,
  states: {
    planned: '已安排',
    due: '到期',
    paused: '已暂停，到时跳过',
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
