import type { library as en } from '../en/library.ts'

export const library: typeof en = {
  turnedOff: '这里没有可以读取的文件夹，请管理员在 INDEX_FOLDERS 中设置。',
  indexed: (name, files, left) =>
    `“${name}”现在可以搜索了：共 ${files} 个文件${left === 0 ? '' : `，略过 ${left} 个（过大或不是文本）`}。`,
  noWords: '请用几个词说明要找什么。',
  noHits: (words) => `没有找到与“${words}”相符的内容。`,
  problems: {
    unknown: (names) => `没有这个名字的文件夹。可以读取的有：${names.join('、')}。`,
    missing: () => '文件夹不存在，请管理员检查 INDEX_FOLDERS。',
    empty: () => '文件夹里没有文本文件。',
    stopped: () => '已停止。',
  },
}
