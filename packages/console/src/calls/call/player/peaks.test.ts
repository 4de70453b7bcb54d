import { describe, expect, it } from 'vitest'
import { endOfSpeech, enlargement, loudest, outline } from './peaks'

const second = (value: number) => Array.from({ length: 800 }, () => value)
const seconds = (...values: number[]) => Float32Array.from(values.flatMap(second))

it('keeps the largest absolute value of every ten samples', () => {
  const samples = new Float32Array(25)
  samples[3] = 0.5
  samples[12] = -0.75
  samples[24] = 1.5
  expect([...loudest(samples)]).toEqual([0.5, 0.75, 1])
})

describe('the end of speech', () => {
  it('is just after the last run of five loud peaks', () => {
    expect(endOfSpeech(seconds(0.5, 0, 0), 0, 3)).toBeCloseTo(1.02, 5)
  })
  it('ignores a click', () => {
    const peaks = seconds(0.5, 0, 0)
    peaks.fill(0.9, 2_000, 2_004)
    expect(endOfSpeech(peaks, 0, 3)).toBeCloseTo(1.02, 5)
    peaks[2_004] = 0.9
    expect(endOfSpeech(peaks, 0, 3)).toBeCloseTo(2_005 / 800 + 0.02, 5)
  })
  it('is within the given range', () => {
    expect(endOfSpeech(seconds(0.5, 0.5), 0, 1)).toBe(1)
    expect(endOfSpeech(seconds(0.5, 0, 0), 1.5, 3)).toBeUndefined()
    expect(endOfSpeech(seconds(0.03, 0.03), 0, 2)).toBeUndefined()
    expect(endOfSpeech(seconds(0.5), 5, 9)).toBeUndefined()
    expect(endOfSpeech(new Float32Array(), 0, 9)).toBeUndefined()
  })
})

it('scales the loudest to full height, and leaves silence flat', () => {
  expect(enlargement([seconds(0.1), seconds(0.25)])).toBe(4)
  expect(enlargement([seconds(0.01), seconds(0)])).toBe(1)
  expect(outline(seconds(0.25), { from: 0, to: 1 }, 1, 4)).toBe('M0 2L0 98Z')
})

it('draws the given number of columns, including silence and beyond the end', () => {
  const path = outline(seconds(1, 0), { from: 0, to: 4 }, 4)
  expect(path).toBe('M0 2L1 49L2 49L3 49L3 51L2 51L1 51L0 98Z')
})
