/** What is longer stays as it is. */
const most = 20_000
/** Some patterns take the square of a long word's time; what takes longer than this stays as it is, too. */
const mostMs = 4_000

let worker: Worker | null = null
let queue: Promise<void> = Promise.resolve()

/**
 * C250: colours a block of code when it comes into sight, where its language is known: in a worker, so that nothing holds the page up.
 * It stays plain where that cannot be loaded.
 */
export const inSight = new IntersectionObserver((entries, observer) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue
    observer.unobserve(target)
    queue = queue.then(() => colour(target))
  }
})

async function colour(block: Element): Promise<void> {
  const [code, text] = [block.firstElementChild, block.textContent]
  if (code === null || text.length > most || !block.isConnected) return
  const html = await ask(text, block.getAttribute('data-language') ?? '')
  if (html !== null && block.isConnected) code.innerHTML = html
}

/** One at a time. A worker that fails or takes too long is ended; the next question begins another. */
function ask(code: string, language: string): Promise<string | null> {
  worker ??= new Worker(new URL('code.js', import.meta.url))
  const asked = worker
  return new Promise((resolve) => {
    const fail = (): void => {
      asked.terminate()
      worker = null
      end(null)
    }
    const timer = setTimeout(fail, mostMs)
    const end = (html: string | null): void => {
      clearTimeout(timer)
      resolve(html)
    }
    asked.onerror = fail
    asked.onmessage = ({ data }: MessageEvent<string | null>) => end(data)
    asked.postMessage([code, language])
  })
}
