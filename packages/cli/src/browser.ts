import { spawn } from 'node:child_process'

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a URL in the browser. Resolves to false if there is no program for that. */
export const openInBrowser = (url: string) =>
  new Promise<boolean>((resolve) => {
    const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
