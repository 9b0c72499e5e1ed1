/**
 * `npm install` runs this in a checkout, the Dockerfile in the image: removes from node_modules what no program loads.
 * It is more than a quarter of all that is installed.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const unused = [
  // Sources: Node strips no types below node_modules, so it can load none of these.
  /(?<!\.d(?:\.\w+)?)\.[cm]?tsx?$/,
  /\.(?:[cm]?[jt]s|css)\.map$/,
  // Manuals and lists of changes, but no licence, and no readme, which may hold one.
  /(?:^|\/)(?!readme|[^/]*(?:licen[cs]e|notice|copying))[^/]*\.(?:md|mdx|markdown)$/i,
  /^node-(?:linux|win)-\w+\/include$/,
  // Tests that are shipped.
  /^(?:bintrees|fast-uri|pino|pino-pretty|qs|thread-stream)\/test$/,
  // Other builds of what is loaded: for browsers, for bundlers, for the other kind of module, minified.
  /^@agentclientprotocol\/sdk\/(?:schema|dist\/(?:mcp|nes|v2)|dist\/v1\/(?:unstable|acp\..*))$/,
  /^@e965\/xlsx\/dist$/,
  /^@opentelemetry\/[\w-]+\/build\/esnext$/,
  /^@smithy\/core\/dist-es$/,
  /^bullmq\/dist\/esm\/.*\.(?:js|lua)$/,
  /^axe-core\/locales$/,
  /^chrono-node\/dist\/esm\/.*\.js$/,
  /^discord-api-types\/\w+\/v[68](?:\.|$)/,
  /^highlight\.js\/(?:s(?:tyles|css)|lib\/languages)$/,
  /^@resvg\/resvg-wasm\/index(?:\.min)?\.js$/,
  /^lodash\/(?:fp|lodash\.min\.js|core(?:\.min)?\.js)$/,
  /^papaparse\/(?:player|tests|papaparse\.min\.js)$/,
  /^jschardet\/dist$/,
  /^luxon\/build\/(?:amd|cjs-browser|global)$/,
  /^officeparser\/dist\/officeparser\.browser\.[\w.-]*js$/,
  /^openai\/(?!bin\/|internal\/).*(?:\.d\.ts|\.js)$/,
  /^pdfjs-dist\/(?:build|image_decoders|web|legacy\/image_decoders|legacy\/web)$/,
  /^pdfjs-dist\/legacy\/build\/.*(?:\.min|\.sandbox)\.mjs$/,
  // Viewers of traces and reports.
  /^playwright-core\/lib\/vite$/,
]

const modules = process.argv[2] ?? join(import.meta.dirname, '../node_modules')
const paths = existsSync(modules) ? readdirSync(modules, { recursive: true }) : []
for (const path of paths)
  if (unused.some((pattern) => pattern.test(path.replaceAll('\\', '/'))))
    rmSync(join(modules, path), { recursive: true, force: true })
