import type { setupGuide as english } from '../en/setup-guide.ts'

export const setupGuide: typeof english = {
  intro: '下面依次设置模型、Slack 和 Discord，逐项测试，成功的写入 .env。按回车可以跳过。',
  wrong: '有些设置还不能用。请先在 .env 里改好，再运行一次：',

  model: 'Clew 用哪个模型？',
  local: (model, server) => `${model}，就在这台机器上（${server}）`,
  keyThere: (provider, setting) => `${provider}，用已设好的 ${setting}`,
  modelTypes: (offers) => (offers > 0 ? '输入编号，或粘贴密钥、地址。' : '粘贴密钥或地址。'),
  modelForms: [
    '密钥：sk-…（OpenAI）、sk-ant-…（Anthropic）、AIza…（Google）、gsk_…（Groq）、xai-…；其他的先写名称：mistral …、deepseek …',
    '地址：兼容 OpenAI 的接口，例如 http://127.0.0.1:8000/v1；需要密钥的话写在地址后面。',
  ].join('\n'),
  modelOrNone: '回车：暂时不用模型，Clew 先演示几个固定的场景。',
  modelPrompt: '模型：',
  modelName: (provider, usual) => `用 ${provider} 的哪个模型？（回车：${usual}）`,
  keyOrAddress: '密钥或地址',
  whichModel: '模型名称（留空：用常用的）',
  unclear: '这不是列表里的编号，也不是我认得的密钥或地址。',
  trying: '正在测试……',
  noModel: '暂时没有模型，Clew 先演示几个固定的场景。',

  slackCreate: '1. 打开这个链接，它会按 Clew 的需要建好应用。然后点“Install to Workspace”。',
  slackBot: '2. OAuth & Permissions › Bot User OAuth Token（xoxb-…）',
  slackApp: '3. Basic Information › App-Level Tokens，权限 connections:write（xapp-…）',
  begins: (setting, beginning) => `${setting} 应以 ${beginning} 开头。`,
  slackInvite: '在频道里用 /invite @Clew 邀请它，然后 @它。',

  discordCreate:
    '1. 打开这个链接 › New Application。然后在 Bot 里打开 Message Content Intent，再点 Reset Token。',
  discordToken: '2. 令牌',
  discordInvite: '打开上面的邀请链接，把它加进服务器，然后在那里 @它。',

  orLater: '（回车：以后再说）：',
  later: '先放着，以后随时可以再运行。',
  again: '再试一次，或按回车留到以后。',
  written: (names) => `已写入 .env：${names}。`,
  before: '原来的文件存成了 .env.before。',
  notWritten: (why) => `.env 没有改动：${why}。请自己写入这些行：`,
  start: '现在启动 Clew 吗？（回车：是；n：否）',
  no: ['n', 'no', '否', '不'],
  startLater: '用 `npm start` 启动，页面在 http://localhost:3000',
  cutOff: '已停止。试成功的已经写入 .env。',
}
