/** Rows of a table: all of them where all tests run, in the quick suite the first few. The order of a table matters here. */
export function sampled<const Row>(rows: readonly Row[], quick: number): readonly Row[] {
  return process.env['KODE_RUN_TESTS'] === 'all' ? rows : rows.slice(0, quick)
}

/** How often something random is tried: `all` where all tests run, `quick` in the quick suite. */
export function times(all: number, quick: number): number {
  return process.env['KODE_RUN_TESTS'] === 'all' ? all : quick
}
