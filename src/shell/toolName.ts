/** A program for another machine or of another version: `x86_64-linux-gnu-gcc-12`, `python3.11`, `clang++-14`. */
const VERSIONED =
  /^(?:\w+-(?:\w+-)?linux-\w+-|\w+-w64-mingw32-|avr-|arm-none-eabi-|llvm-|musl-)?(gcc|g\+\+|cc|c\+\+|cpp|clang|clang\+\+|clang-tidy|clang-format|gfortran|ld|ld\.bfd|ld\.gold|as|nm|ar|ranlib|objcopy|objdump|size|strings|strip|readelf|lld|ld\.lld|rustc|go|node|pip|python|pytest|ruby|php|perl|lua)(?:-?\d[\w.]*)?$/

/** GNU's tools where the system has others under these names. */
const GNU = /^g(find|sed|tar|sort|xargs|date|cp|mv|rm|ln|install|split|csplit|shuf|tree|base64|uniq|du|df|stat|env)$/

const OTHERS: ReadonlyMap<string, string> = new Map([
  ['original-awk', 'awk'],
  ['bwk', 'awk'],
  ['nodejs', 'node'],
  ['gcc-nm', 'nm'],
  ['gcc-ar', 'ar'],
  ['gcc-ranlib', 'ranlib'],
  ['dmypy', 'mypy'],
  ['py.test', 'pytest'],
])

/** The name under which a program's options are known. */
export function toolName(name: string): string {
  return OTHERS.get(name) ?? GNU.exec(name)?.[1] ?? VERSIONED.exec(name)?.[1] ?? name
}
