import { html, render } from 'htm/preact'
import { App } from './app.ts'
import { createClient } from './client.ts'

const place = document.getElementById('app')
const client = createClient()
client.start()
if (place !== null) render(html`<${App} client=${client} />`, place)
