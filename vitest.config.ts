import { defineConfig } from 'vitest/config'

const slow = { testTimeout: 30_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      { test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      { test: { name: 'server', include: ['packages/server/src/**/*.test.ts'], ...slow } },
      { test: { name: 'console', include: ['packages/console/src/**/*.test.{ts,tsx}'] } },
      { test: { name: 'house', include: ['house.test.ts'] } },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
