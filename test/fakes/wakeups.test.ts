import { createSystemClock } from '../../src/clock.ts'
import { describeWakeups } from '../contracts/wakeups.ts'
import { createWakeupsBus } from './wakeups.ts'

describeWakeups('in memory', async () => {
  const bus = createWakeupsBus(createSystemClock())
  return { open: bus.open, close: async () => {} }
})
