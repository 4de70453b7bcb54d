import { type ReactNode, use } from 'react'

/**
 * A lazily loaded screen, or part of one. The router's own helper reloads the page if a chunk cannot be loaded, which ends
 * on the browser's error page while the server is down; this one fails into the screen's error component.
 */
export function screen<K extends string, P extends object = object>(
  load: () => Promise<Record<K, (props: NoInfer<P>) => ReactNode>>,
  name: K,
) {
  let Screen: ((props: P) => ReactNode) | undefined
  let loading: Promise<void> | undefined
  const preload = () => {
    loading ??= load().then(
      (loaded) => {
        Screen = loaded[name]
      },
      (error) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  // React shows what was suspended 300 ms later at the earliest, so a screen that is loaded must not suspend
  const component = (props: P) => {
    if (!Screen) use(preload())
    return Screen && <Screen {...props} />
  }
  return Object.assign(component, { preload })
}
