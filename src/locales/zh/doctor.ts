import type { doctor as english } from '../en/doctor.ts'

type Names = { key: string; url: string; model: string; other: string }

const slackPage = 'https://api.slack.com/apps（你的应用）'
const oauthPage = `${slackPage} › OAuth & Permissions`
const portal = 'https://discord.com/developers/applications（你的应用）'

export const doctor: typeof english = {
  understood: '设置：都能识别。',
  inEnv: '在 .env 或环境变量里改；.env.example 里有全部设置。',
  changed: (names) => `启动之后改过：${names}。`,
  restart: '重启 Clew 后生效。',
  late: (seconds) => `${seconds} 秒内没有回应。`,
  lateMend: '请检查网络，然后再检查一次。',
  broken: '这一项没能检查。',
  brokenMend: '原因见日志。',

  embedded: (folder) => `存储：内置，位于 ${folder}；适合单个进程和小团队。`,
  redisAnswers: 'REDIS_URL：有回应。',
  redisMend: '在你的 Redis 或 Valkey 的配置里更改；compose.yaml 里有一份合适的配置。',
  redisAway: '请启动服务器，或更正 REDIS_URL。',

  noModel: '模型：没有设置，Clew 现在只会演示。',
  noModelMend: '请设置 OPENAI_API_KEY；本地模型则设置 OPENAI_BASE_URL。',
  offer: (server, settings) => `本机正在运行 ${server}：请设置 ${settings}。`,
  noModelSet: '模型：没有设置。',
  noModelSetMend: '请设置 OPENAI_API_KEY；本地模型则设置 OPENAI_BASE_URL。',
  modelAnswers: (name, host) => `模型：${host} 的 ${name} 有回应。`,
  askedFor: (host, name) => `${host}（模型 ${name}）`,
  modelFails: (who, does) => `模型：${who} ${does}。`,
  startAgain: '然后重新启动。',

  noSearch: '搜索：没有设置；任务不会在网上查找。',
  noSearchMend:
    '请把 SEARCH_PROVIDER 设为 searxng（自己的服务器）、brave 或 tavily（需要其密钥）。',
  searches: (name) => `搜索：${name} 有回应。`,
  checkSetting: (name) => `请检查 ${name}。`,

  folderRead: (name) => `INDEX_FOLDERS：${name} 可以读取。`,
  folderUnread: (path) => `INDEX_FOLDERS：${path} 不是可以读取的文件夹。`,
  correct: '请在 .env 里更正。',
  codingWrites: 'CODING_FOLDER：可以写入。',
  codingFresh: (path) => `CODING_FOLDER：${path} 还不存在；Clew 和运行器会创建它。`,
  codingFreshMend: '用 `npm run coding-runner` 启动运行器；见 docs/coding.md。',
  codingLocked: (path) => `CODING_FOLDER：${path} 写不进去。`,
  codingLockedMend: '请给运行 Clew 的用户写入权限。',
  server: (name, tools) => `MCP 服务器 ${name}：${tools} 个工具。`,
  serverMend: '请更正配置文件里这个服务器的设置，或手动启动它。',
  serverSignIn: (name) => `MCP 服务器 ${name} 要求先登录（401）。`,
  serverSignInMend: '请在配置文件里这个服务器的 headers 中填入有效的密钥；Clew 会自动重试。',
  serverOdd: (name, line) => `MCP 服务器 ${name}：${line}。`,
  serverOddMend: '它的其他工具可以用。请把这个问题告诉服务器的作者。',
  toolsAsk: (names) => `用之前会先问的工具：${names}。`,
  toolsUnasked: (names) => `不问就直接用的工具：${names}。`,
  toolsUnaskedMend: '想让某个工具先问，请设置 AGENT_TOOL_APPROVAL=工具名=always。',
  typesMend: '工具的写法请对照 clew/tool 里的类型。',
  homeMend: '每个文件的格式见 docs/agent-home.md。',
  connectors: (names) => `CONNECTORS_FILE：${names} 可以发起任务。`,
  connectorsMend: '文件格式见 docs/connectors.md。',

  slack: {
    redirects: `${oauthPage} › Redirect URLs`,
    none: 'Slack：没有设置。',
    noneMend: '运行 `npm run setup` 一步步设置；手动设置见 docs/slack.md。',
    unlooked: 'Slack：由各工作区自行安装，所以没有检查它们的令牌。',
    events: 'Slack：用这些令牌查不到应用订阅了哪些事件。',
    eventsMend: `请对照 ${slackPage} › App Manifest 和 \`npm run manifest\` 的输出。`,
    scopesGranted: 'Slack：所有权限都已授予。',
    scopeMissing: (scope, reason) => `Slack：缺少权限 ${scope}，Clew 没法${reason}。`,
    scopeMend: (scope) =>
      `${oauthPage} › Bot Token Scopes › Add an OAuth Scope › ${scope}，然后“Reinstall to Workspace”。`,
    noChannel: 'Slack：Clew 不在任何频道里。',
    noChannelMend: '请在频道里写 /invite @Clew。',
    channels: (names, more) =>
      `Slack：Clew 在 ${names}${more > 0 ? ` 和另外 ${more} 个频道里` : ' 里'}。`,
    channelsUnknown: (reason) => `Slack：无法列出频道（${reason}）。`,
    overHttp: 'Slack：事件走 HTTP；SLACK_SIGNING_SECRET 对不对，要等第一个事件来了才知道。',
    overHttpMend: `${slackPage} › Event Subscriptions：Request URL 以 /slack/events 结尾，并显示“Verified”。`,
    noEntrance: 'Slack：SLACK_APP_TOKEN 和 SLACK_SIGNING_SECRET 都没有设置，收不到任何事件。',
    noEntranceMend: `${slackPage} › Basic Information › App-Level Tokens（Socket Mode）或 Signing Secret（HTTP）。`,
    socket: 'SLACK_APP_TOKEN：可以打开 Socket Mode。',
    socketMend: `${slackPage} › Basic Information › App-Level Tokens：需要一个带 connections:write 的令牌；并在 Socket Mode › Enable 启用。`,
    answers: (code, needed) => `Slack 返回 ${code}${needed === null ? '' : `（需要 ${needed}）`}`,
    away: '从这里连不上 Slack',
    unclear: 'Slack 返回的结果不能用',
    tokenMend: `${oauthPage} › Bot User OAuth Token：请重新复制（以 xoxb- 开头）；“Reinstall”之后它会变。`,
    networkMend: '请检查网络；设过 SLACK_API_URL 的话，也检查它。令牌可能没问题。',
    scopes: {
      'app_mentions:read': '收到 @它的消息',
      'assistant:write': '显示进行中的状态和停止按钮',
      'chat:write': '回答',
      commands: '接收斜杠命令和快捷操作',
      'channels:history': '看公开频道里的会话并接着聊，也没法替那里的成员查消息',
      'channels:read': '知道频道里有谁、自己在不在，也就没法替成员查消息',
      'groups:history': '看私有频道里的会话并接着聊',
      'groups:read': '知道私有频道里有谁、自己在不在',
      'im:history': '收到私信',
      'im:read': '知道自己有哪些私信',
      'im:write': '直接私信本人（频道里发不了消息时用）',
      'mpim:history': '看群组消息里的会话并接着聊',
      'mpim:read': '知道自己有哪些群组消息',
      'reactions:read': '看到表情回应：已读、记为待办、触发任务',
      'reactions:write': '用表情表示看到了消息',
      'users:read': '知道大家的姓名、语言和时区，也没法按姓名找人',
      'files:read': '读发给它的文件',
      'files:write': '把长报告做成文件',
    },
  },

  signIn: {
    on: (platform, redirect) =>
      `${platform}：只要应用里有重定向地址 ${redirect}，大家就可以用它登录网页。`,
    off: (platform) => `${platform}：还不能用它登录网页。`,
    offMend: (names, redirect, where) =>
      `如果需要，请设置 ${names}，并添加重定向地址 ${redirect}：${where}`,
  },

  discord: {
    redirects: `${portal} › OAuth2 › Redirects`,
    none: 'Discord：没有设置。',
    noneMend: '运行 `npm run setup` 一步步设置；手动设置见 docs/discord.md。',
    noGuild: 'Discord：Clew 不在任何服务器里。',
    invite: (link) => `请管理员打开 ${link}`,
    inviteThere: (link) => `请那里的管理员打开 ${link}`,
    link: (link) => `Discord：邀请链接是 ${link}`,
    refused: (status) => `DISCORD_TOKEN：Discord 返回 ${status}。`,
    away: '从这里连不上 Discord。',
    tokenMend: `请到 ${portal} › Bot › Reset Token 生成新的令牌，再设置 DISCORD_TOKEN。`,
    wrongToken: 'DISCORD_TOKEN：Discord 不认识这个令牌。',
    wrapped: 'DISCORD_TOKEN：令牌两边有引号，或前面有“Bot”。',
    wrappedMend: '只写令牌本身：不要引号，前面也不要“Bot ”。',
    networkMend: '请检查网络；设过 DISCORD_API_URL 的话，也检查它。令牌可能没问题。',
    roleLacks: (names) => `Clew 的角色缺少 ${names}`,
    roleMend: (link) =>
      `请管理员再次打开邀请链接来补上，或在 Server Settings › Roles 里设置：${link}`,
    lookedAt: (seen, all) => `Discord：检查了 ${all} 个服务器中的 ${seen} 个。`,
    reads: 'Discord：Clew 能看到自己会话里的回复，也能替人查消息（Message Content Intent）。',
    noReads:
      'Discord：Message Content Intent 没有打开。Clew 只处理 @它的消息和私信，也不能替人查消息。',
    noReadsMend: `${portal} › Bot › Privileged Gateway Intents › Message Content Intent`,
    finds: 'Discord：任务可以按姓名找人（Server Members Intent）。',
    noFinds: 'Discord：Server Members Intent 没有打开，任务无法按姓名找人。',
    noFindsMend: `如果需要：${portal} › Bot › Privileged Gateway Intents › Server Members Intent`,
    noGateway: 'Discord：没有给出网关地址。',
    later: '请稍后再试。',
    fewStarts: (left) => `Discord：今天只剩 ${left} 次新连接。`,
    fewStartsMend: '请查一下 Clew 为什么反复启动；次数每天会恢复。',
    starts: (shards, left) => `Discord：建议 ${shards} 个连接，今天还可启动 ${left} 次。`,
    unseen: (guild) => `${guild}：查不到权限。`,
    mayAll: (guild) => `${guild}：Clew 在所有频道都有所需的权限。`,
    lacks: (channel, names) => `#${channel} 缺少 ${names}`,
    moreChannels: (count) => `以及另外 ${count} 个频道`,
    lacking: (guild, lines) => `${guild}：${lines}。`,
    lackingMend: '在频道里：Edit Channel › Permissions › Clew 的角色。用不到 Clew 的频道不用改。',
    stray: (guild) => `DISCORD_GUILD_IDS：Clew 不在 ${guild} 里。`,
    noCommands: 'Discord：还没有注册命令。',
    noCommandsMend: 'Clew 启动时会注册。',
    commands: (names) => `Discord：已注册命令 ${names}。`,
  },

  /** Names of an endpoint's models. */
  listed: (names) => `它列出的有：${names.join('、')}。`,

  otherModel: (setting, isList) => (isList ? `在 ${setting} 里再加一个` : `换一个 ${setting}`),
  goesOn: (mend) => `Clew 会等一等，恢复后自己继续。${mend}`,
  tryAgain: (mend) => `请过一分钟再试。${mend}`,
  advice: ({ key, url, model, other }: Names) => ({
    key_refused: { does: '拒绝了 API 密钥', mend: `请检查 ${key}、${url} 以及对模型的访问权限。` },
    no_credit: {
      does: '这个账户没有余额了',
      mend: `请在那里充值或提高限额，或把 ${key} 设为另一个账户的。`,
    },
    unknown_model: {
      does: '不认识这个模型',
      mend: `请检查 ${model}、AGENT_DECISION_MODEL 和 ${url}。`,
    },
    wrong_address: {
      does: '没有应答，这个地址上是别的服务',
      mend: `请检查 ${url}：大多数地址以 /v1 结尾；也可能是被代理或登录页挡住了。`,
    },
    rate_limited: {
      does: '暂时不接受更多请求',
      mend: '如果经常这样，请在那里提高限额，或者调低 AGENT_RUNS_AT_ONCE。',
    },
    overloaded: {
      does: '太忙，或者出了故障',
      mend: `一直不好的话，请看它的状态页或日志，或者${other}。`,
    },
    unreachable: {
      does: '连不上',
      mend: `请检查 ${url}、网络以及服务器是否在运行。`,
    },
    timed_out: {
      does: '没有及时回答',
      mend: '模型慢的话，请调大 OPENAI_TIMEOUT_SECONDS 和 AGENT_DECISION_TIMEOUT_SECONDS。',
    },
    context_too_long: {
      does: '说请求太长，模型读不完',
      mend: `请换上下文更大的模型（${model}），或把本地服务器的上下文调大。`,
    },
    filtered: {
      does: '拒绝了一个请求（没通过内容过滤）',
      mend: '换个说法也许可以；过滤由服务商设置。',
    },
    reply_unusable: {
      does: '给出的回答不能用',
      mend: `\`npm run doctor\` 可以试出模型能做什么；换一个模型（${model}），也许就能按要求回答。`,
    },
  }),
}
