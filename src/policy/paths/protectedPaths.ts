import { createPlaceMatcher, placeNamePattern } from '../../lib/places/placeMatcher.ts'
import { PLACES, type Place } from '../../lib/places/places.ts'
import { caseFold } from '../matchers/caseFold.ts'

/** A built-in protection. A rule must name `name` to open it. */
export type Protection = Pick<Place, 'name' | 'why'>

const KERNEL: Protection = { name: '/proc, /sys and /dev', why: 'it shows the machine, not the project' }
const KERNEL_PATH = /^\/(?:proc|sys|dev)(?:\/|$)/
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd\/\d+)$/

const KINDS = { read: ['read-secret', 'home-credential'], write: ['write-protected', 'home-credential'] } as const

const MATCHERS = { read: createPlaceMatcher(placesFor('read')), write: createPlaceMatcher(placesFor('write')) }

function placesFor(access: 'read' | 'write'): readonly Place[] {
  return KINDS[access].flatMap((kind) => PLACES.filter((place) => place.kind === kind))
}

/** The protections that apply to an absolute path, ignoring case. Empty for ordinary paths. */
export function protectionsOf(path: string, access: 'read' | 'write', home: string): readonly Protection[] {
  const text = caseFold(path)
  const found = MATCHERS[access].find(text, caseFold(home))
  return isKernelPath(text) ? [...found, KERNEL] : found
}

const SECRET_NAMES = placeNamePattern(placesFor('read'))

/** Whether a file or folder of this name may be a secret. False is certain, unless a folder above it is a secret. */
export function mayBeSecretName(name: string): boolean {
  return SECRET_NAMES.test(caseFold(name))
}

/** True for `/proc`, `/sys` and `/dev`, which in-process tools never open, whatever the rules say. */
export function isKernelPath(path: string): boolean {
  return KERNEL_PATH.test(path) && !/^\/dev\/shm(?:\/|$)/.test(path)
}

/** True for devices that a command line may name without a rule. */
export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path)
}
