const LEVEL = process.env['KODE_RUN_TESTS']

/** At night every test runs. */
export const isNight = LEVEL === 'night'
/** True in `npm run test:all` and at night; the quick suite leaves out what takes longer than a person waits. */
export const isAll = LEVEL === 'all' || isNight

/** Rows of a table: all of them where all tests run, in the quick suite the first few. The order of a table matters here. */
export function sampled<const Row>(rows: readonly Row[], quick: number): readonly Row[] {
  return isAll ? rows : rows.slice(0, quick)
}

/** Rows of a table that costs minutes: all of them at night, otherwise every n-th. */
export function everyNth<const Row>(rows: readonly Row[], n: number): readonly Row[] {
  return isNight ? rows : rows.filter((_, index) => index % n === 0)
}

/** How often something random is tried: `all` where all tests run, `quick` in the quick suite. */
export function times(all: number, quick: number): number {
  return isAll ? all : quick
}
