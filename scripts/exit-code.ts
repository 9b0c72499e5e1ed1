/**
 * Runs a command of `clew` on the words of the command line. Sets the exit code to what it returns; 2, with the reason on standard
 * error, if it throws.
 */
export async function exitWith(
  run: (args: readonly string[], say: (line: string) => void) => Promise<number>,
): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2), (line) => console.log(line))
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 2
  }
}
