import type { Page } from 'playwright-core'

/**
 * Counts what React renders, as its developer tools do. Runs in the browser, before the page's scripts. A component has
 * rendered if React made another version of it and marked it as worked on.
 */
function countRenders() {
  type Fiber = {
    alternate: Fiber | null
    child: Fiber | null
    sibling: Fiber | null
    flags: number
    tag: number
  }
  const counted = { renders: 0 }
  const WORKED_ON = 1
  // functions, what forwards a reference, and what is memoized
  const COMPONENTS = new Set([0, 11, 14, 15])
  const walk = (fiber: Fiber | null) => {
    for (let at = fiber; at; at = at.sibling) {
      const before = at.alternate
      if (COMPONENTS.has(at.tag) && at.flags & WORKED_ON) counted.renders++
      if (!before || before.child !== at.child) walk(at.child)
    }
  }
  Object.assign(window, {
    counted,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: (_: number, root: { current: Fiber }) => walk(root.current.child),
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
    },
  })
}

/** Call before the page is opened. Resolves to what counts the components that render while something is done. */
export async function rendersIn(page: Page) {
  await page.addInitScript(countRenders)
  const read = () => page.evaluate(() => Reflect.get(window, 'counted').renders as number)
  return async (work: () => Promise<unknown>) => {
    const before = await read()
    await work()
    return (await read()) - before
  }
}
