import type { signIns as en } from '../en/sign-ins.ts'

export const signIns: typeof en = {
  summary: 'Clew 在哪些服务用你的登录，以及怎样退出',
  usageNotes: '第一次要用这样的服务时，Clew 会请你登录。退出登录会撤销并删除它的令牌。',
  onlyPeople: '登录只能由人来查看和退出。',
  title: '**已登录**',
  none: 'Clew 没有保存你的任何登录。',
  row: (server, url, since, isShared) =>
    `**${server}**${isShared ? '（所有人共用）' : ''}：${url}，${since}起。退出：\`/signins out ${server}\`。`,
  unknown: (server) => `你没有在 ${server} 登录。\`/signins list\` 会列出你的登录。`,
  out: (server, isShared) =>
    isShared
      ? `已为所有人退出 **${server}**，令牌已撤销并删除。`
      : `已退出 **${server}**，你的令牌已撤销并删除；下次 Clew 会请你登录。`,
}
