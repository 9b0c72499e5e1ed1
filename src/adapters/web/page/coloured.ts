/** Longest code that is coloured, in characters. */
const most = 20_000
/** Longest time for colouring, in ms: some patterns take time quadratic in a long word. */
const mostMs = 4_000

let worker: Worker | null = null
let queue: Promise<void> = Promise.resolve()

/**
 * C250: colours a block of code when it scrolls into view, if its language is known. A worker does
 * it, so that the page stays responsive. Without the worker, code stays plain.
 */
export const inSight = new IntersectionObserver((entries, observer) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue
    observer.unobserve(target)
    queue = queue.then(() => colour(target))
  }
})

async function colour(block: Element) {
  const [code, text] = [block.firstElementChild, block.textContent]
  if (code === null || text.length > most || !block.isConnected) return
  const html = await ask(text, block.getAttribute('data-language') ?? '')
  if (html !== null && block.isConnected) code.innerHTML = html
}

/**
 * Colours one block at a time. A worker that fails or takes too long is ended; the next block
 * starts another.
 */
function ask(code: string, language: string): Promise<string | null> {
  worker ??= new Worker(new URL('code.js', import.meta.url))
  const asked = worker
  return new Promise((resolve) => {
    const fail = () => {
      asked.terminate()
      worker = null
      end(null)
    }
    const timer = setTimeout(fail, mostMs)
    const end = (html: string | null) => {
      clearTimeout(timer)
      resolve(html)
    }
    asked.onerror = fail
    asked.onmessage = ({ data }: MessageEvent<string | null>) => end(data)
    asked.postMessage([code, language])
  })
}
