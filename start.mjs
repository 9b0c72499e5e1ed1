// The way in for people and containers. Plain JavaScript that also parses on an old Node, so that the advice below can be given.
import module from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Clew needs Node 22.18 or newer and this is ${process.version}: run \`npm install && npm start\`, which brings and uses Clew's own Node 24.`,
  )
  process.exit(2)
}

// Stripping types costs a fifth of a second on every start; the cache keeps what was stripped and compiled.
module.enableCompileCache()

await import('./src/main.ts')
