import { createPlaceMatcher, lastNamesOf } from '../lib/placeMatcher.ts'
import { PLACES, type Place } from '../lib/places.ts'
import { foldText } from './foldText.ts'

/** A built-in protection: `name` is what a rule must name to open it. */
export type Protection = Pick<Place, 'name' | 'why' | 'isOpenable'>

const KERNEL: Protection = { name: '/proc, /sys and /dev', why: 'it shows the machine, not the project' }
const KERNEL_PATH = /^\/(?:proc|sys|dev)(?:\/|$)/
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd\/\d+)$/

const KINDS = { read: ['read-secret', 'home-credential'], write: ['write-protected', 'home-credential'] } as const

const MATCHERS = { read: createPlaceMatcher(placesFor('read')), write: createPlaceMatcher(placesFor('write')) }

function placesFor(access: 'read' | 'write'): readonly Place[] {
  return KINDS[access].flatMap((kind) => PLACES.filter((place) => place.kind === kind))
}

/** The protections that an absolute path falls under, compared without case. Empty for ordinary paths. */
export function protectionsOf(path: string, access: 'read' | 'write', home: string): readonly Protection[] {
  const text = foldText(path)
  const found = MATCHERS[access].find(text, foldText(home))
  return isKernelPath(text) ? [...found, KERNEL] : found
}

const SECRET_NAMES = lastNamesOf(placesFor('read'))

/** Whether a file or folder of this name may be a secret; false is for sure where no folder above it is one. */
export function mayBeSecretName(name: string): boolean {
  return SECRET_NAMES.test(foldText(name))
}

/** True where a rule that opens the path may be suggested. One for writing opens it for reading too. */
export function isOpenable(path: string, home: string): boolean {
  const protections = [...protectionsOf(path, 'read', home), ...protectionsOf(path, 'write', home)]
  return protections.every((protection) => protection.isOpenable === true)
}

/** True for `/proc`, `/sys` and `/dev`, which in-process tools never open, whatever the rules say. */
export function isKernelPath(path: string): boolean {
  return KERNEL_PATH.test(path) && !/^\/dev\/shm(?:\/|$)/.test(path)
}

/** True for devices that a command line may name without a rule. */
export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path)
}
