/** A right of linux/landlock.h, and the version that has it. */
type Right = { readonly bit: bigint; readonly since: number }

const right = (bit: number, since = 1): Right => ({ bit: 1n << BigInt(bit), since })

const EXECUTE = right(0)
const WRITE_FILE = right(1)
const READ_FILE = right(2)
const READ_DIR = right(3)
const TRUNCATE = right(14, 3)
const IOCTL_DEV = right(15, 5)
/** Removing and making files, folders, sockets, pipes and links, and moving them between folders; no devices. */
const CHANGE = [right(4), right(5), right(7), right(8), right(9), right(10), right(12), right(13, 2)]
const DEVICES = [right(6), right(11)]

/** Everything that is forbidden unless a rule allows it. */
export const LANDLOCK_RIGHTS = {
  files: [EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, ...CHANGE, ...DEVICES, TRUNCATE, IOCTL_DEV],
  /** To connect over TCP. Listening stays possible. */
  connect: [right(1, 4)],
  /** Abstract sockets and signals to processes of others. */
  scopes: [right(0, 6), right(1, 6)],
} as const

/** The bits of these rights that a version has. */
export function rightsOf(rights: readonly Right[], version: number): bigint {
  return rights.reduce((bits, { bit, since }) => (since <= version ? bits | bit : bits), 0n)
}

const ALL = Number.MAX_SAFE_INTEGER
const OF_FILES = rightsOf([EXECUTE, WRITE_FILE, READ_FILE, TRUNCATE, IOCTL_DEV], ALL)

/** What a place may be used for. A file has only the rights that a file can have. */
export function placeRights(use: 'list' | 'read' | 'write' | 'device', isFolder: boolean): bigint {
  const rights = {
    list: [READ_DIR],
    read: [EXECUTE, READ_FILE, READ_DIR],
    write: [EXECUTE, READ_FILE, READ_DIR, WRITE_FILE, TRUNCATE, ...CHANGE],
    device: [READ_FILE, WRITE_FILE, READ_DIR, TRUNCATE, IOCTL_DEV, right(5), right(8)],
  }[use]
  const all = rightsOf(rights, ALL)
  return isFolder ? all : all & OF_FILES
}
