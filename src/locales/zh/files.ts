import type { files as English } from '../en/files.ts'

/** 附件怎样呈现给模型，以及文档无法读取的原因。 */
export const files: typeof English = {
  heading: (name) => `文件 ${name}：`,
  image: (name) => `图片 ${name}，模型所见：`,
  tooLarge: (name, megabytes) => `文件 ${name}：超过 ${megabytes} MB，未读取。`,
  unreadable: (name, type) => `文件 ${name}：无法读取 ${type} 类型。`,
  attached: (name) => `文件 ${name} `,
  noText: (name) => `文件 ${name}：没有文字，只有图片或为空。`,
  failed: (name, platform) => `文件 ${name}：无法从 ${platform} 获取。`,
  cut: '其余部分已省略。',
  problems: {
    too_slow: (what) => `${what}在 5 秒内没能读完。`,
    too_big: (what) => `${what}无法读取：需要的内存超过上限。`,
    unreadable: (what) => `${what}无法读取：文件已损坏、有密码保护，或格式与名称不符。`,
    busy: (what) => `${what}没有读取：等待读取的文档太多。请一分钟后再试。`,
    not_started: (what) => `${what}无法读取：读取文档的程序无法启动。管理员可在日志中查看原因。`,
    stopped: (what) => `${what}没有读取：读取已停止。`,
  },
}
