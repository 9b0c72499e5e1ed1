import { imageTokens, type ShownImage } from '../domain/attached-image.ts'
import type { Log } from '../ports/log.ts'
import { refusesImages } from './failures.ts'

/** Refusals in a row after which a model is taken to see nothing: the first may have been the image's fault. */
const refusalsUntilBlind = 2
/** The most of a window that images may take. */
const shareOfWindow = 1 / 4

/**
 * Whether a model sees is not asked for anywhere: its answers show it, and one that takes no images is not sent more of them. An
 * image that was refused while the same request went well without it is not sent to that model again.
 */
export function createVision({ model, log }: { model: string; log: Log }) {
  let refusals = 0
  const unseen = new WeakSet<ShownImage>()
  const isBlind = () => refusals >= refusalsUntilBlind
  const vision = {
    isBlind,
    saw() {
      refusals = 0
    },
    refused() {
      refusals += 1
      if (refusals === refusalsUntilBlind)
        log.info({ model }, 'The model takes no images; none is sent to it any more')
    },
    /**
     * What is sent of images with one call, and what becomes of them.
     *
     * @param room for a whole request, in tokens.
     */
    looking(all: readonly ShownImage[], room: number) {
      const most = Math.floor((room * shareOfWindow) / imageTokens)
      const seen = isBlind() ? [] : all.filter((one) => !unseen.has(one)).slice(-Math.max(most, 0))
      let images = most > 0 ? seen : []
      let dropped: readonly ShownImage[] = []
      return {
        get images() {
          return images
        },
        /** Whether the answer is about the images; then the next request goes without them. */
        drops(error: unknown): boolean {
          if (images.length === 0 || !refusesImages(error)) return false
          dropped = images
          images = []
          return true
        },
        /** An answer that could be read shows what the model takes. */
        proved(): void {
          if (images.length > 0) vision.saw()
          if (dropped.length > 0) vision.refused()
          for (const one of dropped) unseen.add(one)
        },
      }
    },
  }
  return vision
}
export type Vision = ReturnType<typeof createVision>
