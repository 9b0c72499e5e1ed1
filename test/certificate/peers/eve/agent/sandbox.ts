import { defineSandbox } from 'eve/sandbox'
import { JustBashSandbox } from 'eve/sandbox/just-bash'

/** Without one eve takes what the machine offers, which may be a virtual machine that is not installed. */
export const environment = JustBashSandbox.environment()
export default defineSandbox(() => environment.open())
