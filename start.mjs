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

function readPackage() {
  return JSON.parse(fs.readFileSync(new URL('./package.json', import.meta.url), 'utf8'))
}

/** Whether a Node is among the packages of the checkout for this machine; there is none for a Mac. */
function bringsNode() {
  const { optionalDependencies } = readPackage()
  return `node-${process.platform.replace('win32', 'win')}-${process.arch}` in optionalDependencies
}

// Stripping types costs a fifth of a second on every start; the cache keeps what was stripped and compiled.
module.enableCompileCache()

const loadFile = (path) =>
  import(new URL(isCheckout ? `./${path}.ts` : `./dist/${path}.js`, import.meta.url).href)
async function load(path) {
  await loadFile('src/imports')
  return await loadFile(path)
}
const programs = {
  setup: 'asks for a model, Slack and Discord, tries them, and writes .env',
  doctor: 'looks at settings, store, model and platforms, and says what to mend',
  manifest: 'prints the manifest with which Slack makes the app',
  replay: 'does recorded runs again, and names the first request that differs',
  audit: 'verifies or prints the record of what Clew did',
  eval: 'tries kept tests again with a model, and says which pass and what that took',
  'coding-runner': 'carries out coding tasks that Clew puts into CODING_FOLDER',
}
const [program] = process.argv.slice(2)

// The package and the image bring what every start loads as few files (C591).
const bundle = new URL(isCheckout ? './bundle/main.js' : './dist/bundle/main.js', import.meta.url)

if (program === undefined && fs.existsSync(bundle)) await import(bundle.href)
else if (program === undefined) await load('src/main')
else if (Object.hasOwn(programs, program)) {
  process.argv.splice(2, 1)
  const { main } = await load(`scripts/${program}`)
  await main()
} else if (['--help', '-h', 'help'].includes(program)) console.log(usage())
else if (['--version', '-v', 'version'].includes(program)) console.log(readPackage().version)
else {
  console.error(`There is no "${program}".\n\n${usage()}`)
  process.exitCode = 2
}

function usage() {
  const lines = Object.entries(programs).map(([name, does]) => `  clew ${name.padEnd(14)} ${does}`)
  return [
    'Clew is an agent for teams, in their Slack and Discord threads.',
    '',
    `  clew ${''.padEnd(14)} starts it; its page is at http://localhost:3000`,
    ...lines,
    `  clew ${'--version'.padEnd(14)} says which version this is`,
    '',
    'In a checkout it is `npm start`, or `node start.mjs` with these words behind it.',
    'Settings are read from the environment and from the file .env of this folder; .env.example has all of them.',
  ].join('\n')
}
