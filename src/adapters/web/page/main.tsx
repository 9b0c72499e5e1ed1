import { render } from 'preact'
import { App } from './app.tsx'
import { createClient } from './client.ts'
import { applyTheme } from './theme.ts'

const place = document.getElementById('app')
applyTheme()
const client = createClient()
client.start()
if (place !== null) render(<App client={client} />, place)
