import type { privacy as en } from '../en/privacy.ts'

export const privacy: typeof en = {
  summary: '管理员用：导出或清除 Clew 保存的某个人的全部内容',
  adminsOnly: (isAnybody, own) =>
    isAnybody
      ? '这件事只有管理员能做。管理员写在 `ADMIN_USERS` 里，请找其中一位。'
      : `这件事只有管理员能做，而现在还没有管理员。部署 Clew 的人可以把 ID 写进 \`ADMIN_USERS\`${own === '' ? '' : `；你的 ID 是 \`${own}\``}。`,
  nobody: (name) => `这里没有叫 ${name} 的人的内容。也可以写 ID 试试。`,
  several: (name, ids) => `有几个人都叫 ${name}，请写 ID 说明是哪一位：${ids}。`,
  nothing: (name) => `这里没有保存 ${name} 的任何内容。`,
  kept: (name, id) => `这里保存的 ${name}（${id}）的内容：`,
  download: (workspace, person) =>
    `完整内容可以通过 API 下载：\`GET /api/privacy/${person}?workspace=${workspace}\`。`,
  wouldErase: (name) => `会清除 ${name} 的这些内容：`,
  erased: (name) => `已清除 ${name} 的这些内容：`,
  unnamed: '这些属于团队，只去掉作者名字：',
  atWork: '这些还有任务在用，任务结束后请再清除一次：',
  sure: (line) =>
    `还没有清除任何内容。要永久清除，请输入 ${line}；有按钮的话，也可以点按钮（十分钟内有效）。`,
  eraseNow: (name) => `清除 ${name} 的这些内容`,
  handover: {
    typedOnly: '转交内容需要管理员亲自输入这条命令。',
    same: (name) => `两边都是 ${name}。请写清楚从谁转给谁。`,
    none: (name) => `${name} 在这里没有可以转交的内容。`,
    moved: (from, to) => `从 ${from} 转交给 ${to}：`,
    kinds: {
      task: '未结束的任务',
      schedule: '日程',
      approval: '待批准和待回答的问题',
      todo: '待办',
    },
    own: (count) => `还有 ${count} 项待办和日程在本人的私人列表里，没有转交。`,
    undo: (line, to) => `想转回去：${line}。${to} 原来就有的也会一起转走。`,
  },
  kinds: {
    message: '发给 Clew 的消息，以及它会话里的消息',
    overheard: '不是对 Clew 说的消息',
    answer: '对提问的回答',
    task: '任务',
    file: '任务生成的文件',
    fact: '记住的内容',
    todo: '待办',
    schedule: '日程',
    usage: '用量记录（天数）',
    quiet: '勿扰时间',
    approval: '长期批准',
    sign_in: '在其他服务的登录',
  },
}
