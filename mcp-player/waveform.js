// Waveforms: the peaks that the catalog's builder measured, in audiowaveform's format version 2 (pairs of minimum and maximum).

const PAIRS_MAX = 20_000;
const PEAKS_BYTES_MAX = 2_000_000;
const BAR_PIXELS = 4; // of a bar with its gap
const QUIETEST = 0.05; // quieter tracks are not drawn as loud

/** Returns the loudness of each pair, 0 to 1; null if the file has another format. */
function parsePeaks({ bits, data }) {
  if ((bits !== 8 && bits !== 16) || !Array.isArray(data) || data.length < 2) return null;
  const top = 2 ** (bits - 1);
  const pairs = Math.min(Math.floor(data.length / 2), PAIRS_MAX);
  return Array.from({ length: pairs }, (_, at) => Math.min(1, Math.max(Math.abs(Number(data[2 * at]) || 0), Math.abs(Number(data[2 * at + 1]) || 0)) / top));
}

/** Returns the text of a response. Reads and accepts at most PEAKS_BYTES_MAX bytes. */
async function shortText(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes += piece.value.length;
    if (bytes > PEAKS_BYTES_MAX) {
      reader.cancel().catch(() => {});
      throw new RangeError('the peaks are too long');
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}

/** Returns the peaks at an address; null if they cannot be loaded. */
async function loadPeaks(url) {
  try {
    const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    return response.ok ? parsePeaks(JSON.parse(await shortText(response))) : null;
  } catch {
    return null;
  }
}

/** Draws bars in the color of the canvas, and in its accent color up to `played`, a part of the track from 0 to 1. */
function drawWaveform(canvas, peaks, played) {
  const scale = window.devicePixelRatio > 1 ? 2 : 1;
  canvas.width = canvas.clientWidth * scale;
  canvas.height = canvas.clientHeight * scale;
  const context = canvas.getContext('2d');
  const { color, accentColor } = getComputedStyle(canvas);
  const loudest = Math.max(QUIETEST, ...peaks);
  const bars = Math.max(1, Math.floor(canvas.clientWidth / BAR_PIXELS));
  for (let bar = 0; bar < bars; bar += 1) {
    const from = Math.floor((bar * peaks.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / bars));
    const height = Math.max(2 * scale, (Math.max(...peaks.slice(from, to)) / loudest) * canvas.height);
    context.fillStyle = (bar + 0.5) / bars < played ? accentColor : color;
    context.fillRect((bar * canvas.width) / bars, (canvas.height - height) / 2, 2.5 * scale, height);
  }
}
