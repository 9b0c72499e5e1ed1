import type { files as English } from '../en/files.ts'

/** 附件怎样呈现给模型。 */
export const files: typeof English = {
  heading: (name) => `文件 ${name}：`,
  image: (name) => `图片 ${name}，模型所见：`,
  tooLarge: (name, megabytes) => `文件 ${name}：超过 ${megabytes} MB，未读取。`,
  unreadable: (name, type) => `文件 ${name}：无法读取 ${type} 类型。`,
  failed: (name, platform) => `文件 ${name}：无法从 ${platform} 获取。`,
  cut: '其余部分已省略。',
}
