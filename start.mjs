#!/usr/bin/env node
// The way in for people and containers. Plain JavaScript that also parses on an old Node, so that the advice below can be given.
import fs from 'node:fs'
import module from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// The checkout runs its TypeScript as it is; the package brings it built, since Node strips no types below node_modules.
const isCheckout = fs.existsSync(new URL('./src/main.ts', import.meta.url))

if (major < 22 || (major === 22 && minor < 18)) {
  const advice = !isCheckout
    ? '.'
    : bringsNode()
      ? ": run `npm install && npm start`, which brings and uses Clew's own Node 24."
      : ': install one from https://nodejs.org, since none comes with Clew for this machine; then run `npm install && npm start`.'
  console.error(`Clew needs Node 22.18 or newer and this is ${process.version}${advice}`)
  process.exit(2)
}

/** Whether a Node is among the packages of the checkout for this machine; there is none for a Mac. */
function bringsNode() {
  const { optionalDependencies } = JSON.parse(
    fs.readFileSync(new URL('./package.json', import.meta.url), 'utf8'),
  )
  return `node-${process.platform.replace('win32', 'win')}-${process.arch}` in optionalDependencies
}

// Stripping types costs a fifth of a second on every start; the cache keeps what was stripped and compiled.
module.enableCompileCache()

const load = (path) =>
  import(new URL(isCheckout ? `./${path}.ts` : `./dist/${path}.js`, import.meta.url).href)
await load('src/imports')
const programs = ['doctor', 'manifest', 'coding-runner']
const [program] = process.argv.slice(2)

if (program === undefined) await load('src/main')
else if (programs.includes(program)) {
  process.argv.splice(2, 1)
  const { main } = await load(`scripts/${program}`)
  await main()
} else {
  console.error(
    `There is no "${program}". Clew starts with no word behind its name; else: ${programs.join(', ')}.`,
  )
  process.exitCode = 2
}
