/**
 * An option of Node that runs this code inside the process under test, as soon as a command of its run has made the file
 * `up` in the project.
 */
export function onceUp(code: string): string {
  const script = `
    import { existsSync } from 'node:fs'
    const timer = setInterval(() => {
      if (!existsSync('up')) return
      clearInterval(timer)
      ${code}
    }, 20)`
  return `--import=data:text/javascript,${encodeURIComponent(script)}`
}
