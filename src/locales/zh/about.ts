import type { about as en } from '../en/about.ts'
import { zoneName } from './zone.ts'

export const about: typeof en = {
  summary: '本频道适用哪些规则，为什么',
  title: (name) => (name === '' ? '**本频道适用的规则**' : `**${name} 适用的规则**`),
  hasProfile: '本频道有自己的规则文件，它优先于全局设置。',
  noProfile: '本频道没有自己的规则文件，一切按全局设置。',
  fault: (fault) =>
    fault === null
      ? '⚠ 规则文件现在写错了，所以仍按上一个正确的版本。管理员可以看到错在哪一行。'
      : `⚠ 规则文件现在写错了，所以仍按上一个正确的版本：${fault}`,
  by: { profile: '*（频道规则）*', setting: '*（设置）*', default: '*（默认）*' },
  people: (count) =>
    count === null ? '频道里的人都可以找我做事。' : `只有 ${count} 个人可以找我做事。`,
  outsiders: (isIn) => (isIn ? '访客和其他公司的人也可以。' : '访客和其他公司的人不可以。'),
  language: (language) => {
    if (language === null) return '别人用什么语言写，我就用什么语言答。'
    return language === 'zh' ? '我用中文回答。' : '我用英文回答。'
  },
  zone: (zone) => `时间按${zoneName(zone)}；知道你自己的时区时按你的。`,
  speaks: {
    auto: '有人 @我，或在我的会话里对我说话，我才开口。',
    mention: '只有 @我、和我单独说话，或者回答我的问题时，我才说话。',
  },
  model: (name) => `模型：${name}。`,
  planFirst: (isFirst) =>
    isFirst
      ? '改动任何东西之前，我先给出计划，等人同意。'
      : '我不会先给出计划；想先看计划，就写“先给我看计划”。',
  noBudget: '本频道没有单独的用量上限。',
  tokens: (amount) => `${amount} 个 token`,
  budget: {
    day: (amount) => `本频道每天最多 ${amount}。`,
    month: (amount) => `本频道每月最多 ${amount}。`,
  },
  instructions: '我遵守团队的说明。',
  channelInstructions: '我遵守本频道的说明。',
  skills: (names) => `技能：${names}。`,
  tools: {
    never: (names) => `不用问就可以用的工具：${names}。`,
    first: (names) => `每个任务只问一次的工具：${names}。`,
    always: (names) => `每次都要问的工具：${names}。`,
    hidden: (names) => `在这里不能用的工具：${names}。`,
  },
  rest: '你在这里长期批准过的：`/approvals list`。',
}
