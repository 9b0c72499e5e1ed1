import type { Census, Names } from '../index.ts'

/* A program that keeps books and their loans in the store. */

export const names: Names = {
  program: 'Acme',
  dataDir: 'ACME_FOLDER',
  acceptLoss: 'ACME_ACCEPT_LOSS=1',
  otherServer: 'ACME_SERVER',
}

export const census: Census = {
  script: "return redis.call('ZCARD', 'books') .. ' ' .. redis.call('ZCARD', 'loans')",
  nouns: ['books', 'loans'],
  words: ['books', 'loans'],
}
