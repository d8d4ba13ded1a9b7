import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { createAddressGuard, isPublicAddress, NetworkRefusal } from '../../../src/lib/net/createAddressGuard.ts'
import { wordsIn } from '../../../src/lib/text/words.ts'

const PUBLIC: LookupAddress = { address: '93.184.215.14', family: 4 }
const PUBLIC_6: LookupAddress = { address: '2606:4700::1111', family: 6 }
const INTERNAL: LookupAddress = { address: '10.0.0.1', family: 4 }

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.15.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('is true for %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  it.each([
    ...wordsIn('127.0.0.1 127.9.9.9 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 0.1.2.3 100.64.0.1'),
    ...wordsIn('198.18.0.1 198.19.255.255 192.0.0.8 192.0.2.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255'),
    ...wordsIn('192.88.99.1 :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1'),
    ...wordsIn('fd00:ec2::254 fe80::1 fec0::1 2002:7f00:1:: 2001::1 4000::1 168.63.129.16 ::ffff:168.63.129.16'),
    ...wordsIn('2001:db8::1 ff02::1 100::1 3fff::1 5f00::1 fe80::1%lo name 127.1 0x7f.1'),
    '',
  ])('is false for %j', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

const asked = (act: () => unknown): unknown => {
  try {
    return act() ?? 'allowed'
  } catch (error) {
    return error instanceof NetworkRefusal ? `${error.name} ${error.code}: ${error.message}` : error
  }
}
const isNoName = (name: string) => `NetworkRefusal address: ${name} is not a name of the public internet`
const isNoAddress = (address: string) => `NetworkRefusal address: ${address} is not an address of the public internet`

describe('a host in an address', () => {
  it.each([
    ...wordsIn('localhost metadata a.localhost printer.local metadata.google.internal a.intranet b.a.corp nas.lan'),
    ...wordsIn('home.arpa nas.home.arpa a.localdomain db.default.svc web.service.consul'),
  ])('%s always means this machine or its surroundings', (name) => {
    const { checkHost } = createAddressGuard()
    expect(asked(() => checkHost(name))).toBe(isNoName(name))
    expect(asked(() => checkHost(`${name.toUpperCase()}.`))).toBe(isNoName(name))
  })

  it.each(wordsIn('example.com example.com. a.mylocal local.example.com corp.io a.b.c.example nothome.arpa'))(
    '%s is looked up before it is judged',
    (name) => expect(asked(() => createAddressGuard().checkHost(name))).toBe('allowed'),
  )

  it.each([
    ['93.184.215.14', 'allowed'],
    ['[2606:4700::1111]', 'allowed'],
    ['127.0.0.1', isNoAddress('127.0.0.1')],
    ['127.0.0.1.', isNoAddress('127.0.0.1')],
    ['[::1]', isNoAddress('::1')],
    ['[FE80::1]', isNoAddress('fe80::1')],
  ])('the literal %s is judged at once', (host, outcome) => {
    expect(asked(() => createAddressGuard().checkHost(host))).toBe(outcome)
  })

  it.each([
    ['[::1]', '::1'],
    ['PRINTER.local.', 'printer.local'],
    ['10.0.0.1', '10.0.0.1'],
  ])('%s is allowed by a rule for %s, and by no other', (host, rule) => {
    const { checkHost } = createAddressGuard({ allowPrivate: (name) => name === rule })
    expect([host, 'other.local', '10.0.0.2'].map((one) => asked(() => checkHost(one)))).toEqual([
      ...['allowed', isNoName('other.local'), isNoAddress('10.0.0.2')],
    ])
  })
})

describe('the addresses of a name', () => {
  const resolving = (...addresses: LookupAddress[]) => ({ resolve: () => Promise.resolve(addresses) })
  const refusal = (promise: Promise<unknown>) =>
    promise.catch((error: NetworkRefusal) => `${error.code}: ${error.message}`)

  const internal = 'address: example.com (10.0.0.1) is not an address of the public internet'
  it.each<[string, LookupAddress[], unknown]>([
    ['all of them, if all are public', [PUBLIC, PUBLIC_6], [PUBLIC, PUBLIC_6]],
    ['refused if they are internal', [INTERNAL], internal],
    ['refused if the first is', [INTERNAL, PUBLIC], internal],
    ['refused if the last is', [PUBLIC, INTERNAL], internal],
    ['refused if there is none', [], 'address: example.com has no address'],
  ])('are %s', async (_, addresses, outcome) => {
    expect(await refusal(createAddressGuard(resolving(...addresses)).resolve('example.com'))).toEqual(outcome)
  })

  it('may be internal for a name in a rule', async () => {
    const guard = createAddressGuard({ ...resolving(INTERNAL), allowPrivate: (name) => name === 'db.example' })
    expect(await guard.resolve('DB.example.')).toEqual([INTERNAL])
    expect(await refusal(guard.resolve('other.example'))).toContain('other.example (10.0.0.1)')
  })

  it('come from the system, all of them, if nothing else is given', async () => {
    const guard = createAddressGuard({ allowPrivate: () => true })
    const addresses = await guard.resolve('localhost')
    expect(addresses.map(({ address }) => address)).toContainEqual(expect.stringMatching(/^(?:127\.|::1$)/))
    await expect(createAddressGuard().resolve('localhost')).rejects.toMatchObject({ code: 'address' })
    await expect(guard.resolve('x'.repeat(300))).rejects.toMatchObject({ syscall: 'getaddrinfo' })
  })
})

describe('the address that is dialled is the address that was checked', () => {
  type Options = Parameters<ReturnType<typeof createAddressGuard>['lookup']>[1]
  const lookUp = (addresses: readonly LookupAddress[], options: Options) => {
    const guard = createAddressGuard({ resolve: () => Promise.resolve(addresses) })
    return new Promise((resolve) => guard.lookup('example.com', options, (...answer) => resolve(answer)))
  }

  it.each<[string, Options, unknown]>([
    ['all', { all: true }, [null, [PUBLIC, PUBLIC_6]]],
    ['all of IPv6', { all: true, family: 6 }, [null, [PUBLIC_6]]],
    ['all of IPv6, in a word', { all: true, family: 'IPv6' }, [null, [PUBLIC_6]]],
    ['all of IPv4', { all: true, family: 4 }, [null, [PUBLIC]]],
    ['the first', {}, [null, PUBLIC.address, 4]],
    ['the first of IPv6', { all: false, family: 6 }, [null, PUBLIC_6.address, 6]],
    ['the first of IPv4, in a word', { family: 'IPv4' }, [null, PUBLIC.address, 4]],
  ])('gives %s to who connects', async (_, options, answer) => {
    expect(await lookUp([PUBLIC, PUBLIC_6], options)).toEqual(answer)
    // The order of the resolver is kept, and no family is preferred.
    if (options.family === undefined && options.all === undefined)
      expect(await lookUp([PUBLIC_6, PUBLIC], options)).toEqual([null, PUBLIC_6.address, 6])
  })

  it('gives none, and says so, if none is of the family', async () => {
    const [error, ...rest] = (await lookUp([PUBLIC], { all: true, family: 6 })) as [Error]
    expect([error.message, rest]).toEqual(['example.com has no address of family 6', ['']])
  })

  it('gives none of a name with an internal one, not even of the other family', async () => {
    const [error, ...rest] = (await lookUp([PUBLIC_6, INTERNAL], { all: true, family: 6 })) as [Error]
    expect([error.message, rest]).toEqual(['example.com (10.0.0.1) is not an address of the public internet', ['']])
  })

  it.each([
    [PUBLIC.address, 'allowed'],
    ['::ffff:10.0.0.1', isNoAddress('example.com (::ffff:10.0.0.1)')],
    // A socket that is closed already.
    [undefined, isNoAddress('example.com')],
  ])('a socket that is connected to %s: %s', (remoteAddress, outcome) => {
    expect(asked(() => createAddressGuard().checkSocket('example.com', { remoteAddress }))).toBe(outcome)
  })

  it('a closed socket is refused even for a host that a rule names', () => {
    const guard = createAddressGuard({ allowPrivate: () => true })
    expect(asked(() => guard.checkSocket('example.com', { remoteAddress: undefined }))).toBe(isNoAddress('example.com'))
    expect(asked(() => guard.checkSocket('example.com', { remoteAddress: '10.0.0.1' }))).toBe('allowed')
  })
})
