import type { health as en } from '../en/health.ts'

export const health: typeof en = {
  ownSchedules: (name) => `${name} 自己的日程`,
  unnamed: '没有名称',
  page: 'Clew 的页面',
  parts: {
    store: '存储',
    queue: '队列',
    outbox: '待发送',
    aside: '搁置',
    model: '模型',
    budget: '预算',
    workers: 'worker 进程',
  },
  channelNames: { web: '页面', slack: 'Slack', discord: 'Discord' },
  store: {
    well: '保存正常。',
    trouble: '写不进去。',
    mend: '请看看它是否在运行、空间是否足够。已确认的内容不会丢；恢复后 Clew 会自己继续。',
  },
  queue: {
    noWorker: '没有正在运行的 worker，任务都停着。',
    startWorker: '启动一个 ROLES=worker 的进程，等待中的任务会自动开始。',
    idle: '没有等待处理的工作。',
    waits: (count, time) => `${count} 项等待处理，最早的已等 ${time}。`,
    late: '任务来得比做得快：请调高 AGENT_RUNS_AT_ONCE，或再启动一个 ROLES=worker 的进程。',
    trouble: '没有回应。',
    mend: '任务还会继续，只是慢一些。请查看 REDIS_URL 指向的 Redis。',
  },
  worker: {
    well: (count) => `${count} 个 worker 都在运行。`,
    starting: (number) => `worker ${number} 正在启动。`,
    silent: (number) => `worker ${number} 没有回应。`,
    mend: '它的任务由其他 worker 接手，或等它恢复。如果一直这样，请看日志里带它编号的那几行。',
  },
  outbox: {
    idle: '都已送达。',
    waits: (count, time) => `${count} 条等待发送，最早的已等 ${time}。`,
    late: '平台一恢复接收就会发出。如果下面有平台连接出了问题，请先处理它。',
    failed: (count) => `${count} 条无法送达。`,
    mend: '下面逐条列出，并说明该怎么办。',
  },
  aside: {
    text: (count) => `有 ${count} 条消息或任务处理不了，先搁置了。`,
    mend: '已经在相关会话里说过了。处理办法见 docs/operations.md 里“搁置”那一节。',
  },
  channel: {
    well: (last) =>
      last === null
        ? '已连接。启动以来还没有收到或发出过消息。'
        : `已连接。${last}收到或发出过消息。`,
    trouble: '没有连接。',
    mend: '请检查它的令牌和到平台的网络。没发出去的消息会先留着，连上后再发。',
  },
  server: {
    name: (name) => `工具：${name}`,
    well: (tools) => `已连接，共 ${tools} 个工具。`,
    odd: (lines) => `已连接。它的工具清单中有读不懂的部分：${lines}。`,
    oddMend: '它的其他工具可以用。请把这个问题告诉服务器的作者。',
    signIn: '它要求先登录（401），它的工具暂时不能使用。',
    signInMend: '请在配置文件里这个服务器的 headers 中填入有效的密钥；Clew 会自动重试。',
    trouble: '未连接，Clew 会自动重试。',
    mend: '请检查配置文件里这个服务器的设置，或手动启动它。',
  },
  model: {
    rehearsal: '没有连接模型；Clew 现在只会演示，回答不是真的。',
    none: '没有连接模型；只有命令可用。',
    connect:
      '请在 .env 里设置 OPENAI_API_KEY，或用 OPENAI_BASE_URL 指向兼容的接口，然后重启 Clew。',
    quiet: (name) => `还没有用过 ${name}。`,
    answered: (name, when) => `${name} 在 ${when}回答过。`,
    failed: (name, when, why) => `${name} 在 ${when}没能回答：${why}`,
    until: (time) => `${time} 之前先不用它；任务到时会自动继续。`,
    mend: '如果一直不恢复，请看日志里的报错，上面写了要改哪个设置。',
  },
  budget: {
    none: '没有设置每天或每月的上限。',
    set: '要设置：在 .env 里写 AGENT_TOKENS_PER_DAY 或 AGENT_COST_PER_DAY，也可以按人、按频道或按月设置。',
    over: (setting) =>
      `相关的任务会暂停到那时。要让它们继续，请在 .env 里调高 ${setting}，然后重启 Clew。`,
    near: (setting) => `到 100% 时任务会暂停。觉得不够用的话，请在 .env 里调高 ${setting}。`,
    today: (who, percent, again) =>
      `${who === null ? '团队' : `${who} `}今天的额度已用 ${percent}%，${again} 重新计算。`,
    thisMonth: (who, percent, again) =>
      `${who === null ? '团队' : `${who} `}这个月的额度已用 ${percent}%，${again} 重新计算。`,
  },
}
