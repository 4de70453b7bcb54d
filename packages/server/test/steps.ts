import { Worker } from 'node:worker_threads'

const WORK = `
const { parentPort, workerData } = require('node:worker_threads')
const { Session } = require('node:inspector/promises')
const count = async () => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  // code that was compiled before has no counters in its loops
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const { [workerData.name]: work } = await import(workerData.module)
  const steps = []
  for (const given of workerData.calls) {
    await session.post('Profiler.takePreciseCoverage')
    work(...given)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ranges = result
      .filter(({ url }) => /packages\\/\\w+\\/src\\//.test(url))
      .flatMap(({ functions }) => functions.flatMap((one) => one.ranges))
    steps.push(ranges.reduce((sum, one) => sum + one.count, 0))
  }
  return steps
}
count().then((steps) => parentPort.postMessage(steps))
`

/**
 * Steps that a function takes for each of these arguments: V8's counts of our functions, branches and loops. The same
 * on any machine, unlike a time. Work inside V8, such as matching a pattern, is one step.
 */
export function stepsOf(module: URL, name: string, calls: unknown[][]): Promise<number[]> {
  const workerData = { module: module.href, name, calls }
  const worker = new Worker(WORK, { eval: true, execArgv: [], workerData })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  }).finally(() => worker.terminate()) as Promise<number[]>
}
