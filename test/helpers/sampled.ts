const LEVEL = process.env['KODE_RUN_TESTS']

/** At night every test runs. */
export const isNight = LEVEL === 'night'
/** True in `npm run test:all` and at night; the quick suite leaves out what takes longer than a person waits. */
export const isAll = LEVEL === 'all' || isNight

/**
 * Rows of a table: in the quick suite the first few, in CI the first `ci`, or all of them. The order of a table matters
 * here.
 */
export function sampled<const Row>(rows: readonly Row[], quick: number, ci = rows.length): readonly Row[] {
  return isNight ? rows : rows.slice(0, isAll ? ci : quick)
}

/** Rows of a table that costs minutes: all of them at night, otherwise every n-th. */
export function everyNth<const Row>(rows: readonly Row[], n: number): readonly Row[] {
  return isNight ? rows : rows.filter((_, index) => index % n === 0)
}

/** How often something random is tried: `all` in CI and at night, `quick` in the quick suite. */
export function times(all: number, quick: number): number {
  return isAll ? all : quick
}
