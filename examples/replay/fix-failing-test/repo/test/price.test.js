import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discounted, format } from '../src/price.js'

test('takes a discount in percent', () => {
  assert.equal(discounted(2000, 25), 1500)
})

test('never goes below zero', () => {
  assert.equal(discounted(2000, 150), 0)
})

test('writes cents as text', () => {
  assert.equal(format(1999), '19.99')
})
