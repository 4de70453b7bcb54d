import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { passwordThreads } from './password-threads.ts'
import { hashPassword, type Passwords } from './passwords.ts'

let passwords: Passwords
afterEach(() => passwords.close())

/** The nice value of each thread of this process, by its id. */
const priorities = () =>
  new Map(
    readdirSync('/proc/self/task').flatMap((thread): [string, number][] => {
      try {
        const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
        return [[thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])]]
      } catch {
        return [] // it has just ended
      }
    }),
  )

/**
 * Ids of the threads below the priority of requests. Threads of earlier files, which run in the same process, may end
 * at any moment, such as those of slow reads.
 */
const lowPriority = (except: string[] = []) =>
  [...priorities()]
    .filter(
      ([thread, nice]) =>
        nice === constants.priority.PRIORITY_BELOW_NORMAL && !except.includes(thread),
    )
    .map(([thread]) => thread)

it('hash and verify as the platform does', async () => {
  passwords = passwordThreads(1)
  const stored = await passwords.hash('correct horse')
  expect(stored).toMatch(/^\$argon2i\$v=19\$m=65536,t=3,p=4\$/)
  expect(await passwords.verify(stored, 'correct horse')).toBe(true)
  expect(await passwords.verify(stored, 'wrong horse')).toBe(false)
  expect(await passwords.verify('not a hash', 'correct horse')).toBe(false)
})

it('work one at a time each, in order, and after another', async () => {
  passwords = passwordThreads(2)
  const stored = await hashPassword('right')
  const tries = ['right', 'wrong', 'right', 'wrong', 'right']
  const results = await Promise.all(tries.map((plain) => passwords.verify(stored, plain)))
  expect(results).toEqual([true, false, true, false, true])
})

it('give way to requests, and end when nobody needs them', async () => {
  const before = lowPriority()
  passwords = passwordThreads(1, 50)
  const stored = await hashPassword('right')
  expect(await passwords.verify(stored, 'right')).toBe(true)
  const during = lowPriority(before)
  expect(during).toHaveLength(1)
  // everything else keeps its own
  const others = [...priorities().values()].filter(
    (nice) => nice !== constants.priority.PRIORITY_BELOW_NORMAL,
  )
  expect(others.length).toBeGreaterThan(3)
  await expect.poll(() => lowPriority(before)).toEqual([])
  expect(await passwords.verify(stored, 'right')).toBe(true)
})

it('refuse what is asked of them once they are closed', async () => {
  passwords = passwordThreads(1)
  await passwords.close()
  await expect(passwords.verify('x', 'y')).rejects.toThrow('not checked any more')
})

it('leave nobody waiting, and start no thread, once they are closed', async () => {
  passwords = passwordThreads(1)
  const stored = await hashPassword('right')
  const before = priorities()
  const asked = Promise.allSettled([1, 2, 3].map(() => passwords.verify(stored, 'right')))
  await passwords.close()
  // whatever its priority: a thread that has just been started has none of its own yet
  expect([...priorities().keys()].filter((thread) => !before.has(thread))).toEqual([])
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})
