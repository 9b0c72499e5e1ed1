import { imageTokens, type ShownImage } from '../domain/attached-image.ts'
import type { Log } from '../ports/log.ts'
import { refusesImages } from './failures.ts'

/**
 * Refusals in a row after which a model is taken to see nothing: the first may have been the
 * image's fault.
 */
const refusalsUntilBlind = 2
/** The most of a window that images may take. */
const shareOfWindow = 1 / 4

/**
 * Learns from a model's answers whether it sees images, as no setting says so. A blind model gets
 * no more images. An image is not sent to it again if the same request worked only without it.
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
        log.info({ model }, 'model refuses images; sending it none from now on')
    },
    /**
     * Tracks the images of one call.
     *
     * @param room size of a whole request, in tokens.
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
        /** True if the error is about the images; the next request then goes without them. */
        drops(error: unknown) {
          if (images.length === 0 || !refusesImages(error)) return false
          dropped = images
          images = []
          return true
        },
        /** An answer that could be read shows what the model takes. */
        proved() {
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
