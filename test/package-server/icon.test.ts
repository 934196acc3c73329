import t from 'tap'
import { iconImage, NEUTRAL_ICON } from '../../src/package-server/icon.ts'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

t.test('a sound icon is served as it is', async (t) => {
  const image = iconImage({ mediatype: 'image/png', base64data: PNG.toString('base64') })
  t.equal(image.mediaType, 'image/png')
  t.ok(PNG.equals(image.bytes))
})

t.test('line ends in base64 and parameters of the type do not matter', async (t) => {
  const text = PNG.toString('base64')
  const image = iconImage({
    mediatype: 'Image/PNG; charset=binary',
    base64data: `${text.slice(0, 5)}\r\n${text.slice(5)}\n`,
  })
  t.equal(image.mediaType, 'image/png')
  t.ok(PNG.equals(image.bytes))
})

t.test('anything broken is the neutral icon, never half of one (R076)', async (t) => {
  const good = PNG.toString('base64')
  for (const base64data of [
    '',
    '%%%',
    `${good}!`,
    good.slice(0, -1),
    'a===',
    'ab=c',
    `${good} `,
    good.replaceAll('/', '_').replaceAll('+', '-').concat('_w=='),
  ]) {
    t.equal(iconImage({ mediatype: 'image/png', base64data }), NEUTRAL_ICON, JSON.stringify(base64data))
  }
  for (const mediatype of [
    '',
    'text/html',
    'image/',
    'image/svg+xml\r\nset-cookie: a',
    'application/javascript',
    'image/a/b',
  ]) {
    t.equal(iconImage({ mediatype, base64data: good }), NEUTRAL_ICON, JSON.stringify(mediatype))
  }
  t.equal(iconImage(undefined), NEUTRAL_ICON)
})

t.test('the ETag is of type and bytes', async (t) => {
  const base64data = PNG.toString('base64')
  const one = iconImage({ mediatype: 'image/png', base64data })
  t.equal(one.etag, iconImage({ mediatype: 'image/png', base64data }).etag)
  t.not(one.etag, iconImage({ mediatype: 'image/gif', base64data }).etag)
  t.not(one.etag, NEUTRAL_ICON.etag)
})

t.test('the neutral icon is an SVG', async (t) => {
  t.equal(NEUTRAL_ICON.mediaType, 'image/svg+xml')
  t.match(Buffer.from(NEUTRAL_ICON.bytes).toString(), /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/)
})
