/** Generates the committed files of web/public/sounds. Each run writes the same bytes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const sampleRate = 11_025
const seconds = 0.66
const bytesPerSample = 2
const headerBytes = 44

/** The partials of a bell: frequency ratio, loudness and decay per second. Inharmonic ratios sound like a bell. */
const BELL = [
  [1, 1, 7],
  [2.01, 0.35, 12],
  [2.76, 0.22, 18],
]
const sounds = {
  bell: {
    partials: BELL,
    strikes: [
      { at: 0, pitch: 1175, gain: 0.5 },
      { at: 0.13, pitch: 1568, gain: 0.55 },
    ],
  },
  drop: {
    partials: [
      [1, 1, 11],
      [2, 0.08, 20],
    ],
    strikes: [
      { at: 0, pitch: 784, gain: 0.5 },
      { at: 0.09, pitch: 1047, gain: 0.5 },
      { at: 0.18, pitch: 1319, gain: 0.5 },
    ],
  },
  wood: {
    partials: [
      [1, 1, 26],
      [2.4, 0.5, 40],
      [4.1, 0.2, 60],
    ],
    strikes: [
      { at: 0, pitch: 440, gain: 0.6 },
      { at: 0.16, pitch: 523, gain: 0.6 },
    ],
  },
}
const attackSeconds = 0.004

const folder = path.join(import.meta.dirname, '../web/public/sounds')
mkdirSync(folder, { recursive: true })
for (const [name, sound] of Object.entries(sounds)) writeFileSync(path.join(folder, `${name}.wav`), toWav(draw(sound)))

function draw({ strikes, partials }) {
  const count = Math.round(sampleRate * seconds)
  const samples = Array.from({ length: count }, (_, index) => {
    const now = index / sampleRate
    return strikes.reduce((sum, strike) => sum + strikeAt(strike, partials, now), 0)
  })
  const loudest = Math.max(...samples.map(Math.abs))
  return samples.map((sample, index) => (sample / loudest) * 0.8 * Math.min(1, (count - index) / (sampleRate * 0.03)))
}

function strikeAt({ at, pitch, gain }, partials, now) {
  const age = now - at
  if (age < 0) return 0
  const tone = partials.reduce((sum, [ratio, loudness, decay]) => {
    return sum + loudness * Math.exp(-decay * age) * Math.sin(2 * Math.PI * pitch * ratio * age)
  }, 0)
  return gain * Math.min(1, age / attackSeconds) * tone
}

function toWav(samples) {
  const dataBytes = samples.length * bytesPerSample
  const wav = Buffer.alloc(headerBytes + dataBytes)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(sampleRate, 24)
  wav.writeUInt32LE(sampleRate * bytesPerSample, 28)
  wav.writeUInt16LE(bytesPerSample, 32)
  wav.writeUInt16LE(bytesPerSample * 8, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(dataBytes, 40)
  for (const [index, sample] of samples.entries()) {
    wav.writeInt16LE(Math.round(sample * 32_767), headerBytes + index * bytesPerSample)
  }
  return wav
}
