import type { help as en } from '../en/help.ts'

export const help: typeof en = {
  summary: '可以直接下达的命令',
  title: '命令',
  intro: '这些命令立即执行，不经过模型。在会话串里写 `@Clew /todo …` 或 `!todo …`。',
  footer: '查看某个命令的详细用法：`/help todo`',
  otherwise: '其他内容会直接回答，或作为任务来执行。',
  tryThis: '可以这样写：',
  unknown: (typed) => `没有命令 ${typed}。`,
  known: (names) => `现有命令：${names}；用 \`/help\` 查看说明。`,
}
