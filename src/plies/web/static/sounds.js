/** Sounds of moves, made here: off until they are switched on. */

let context = null;

/** A knock for a move, a lower one for a capture, three notes at the end. */
export function sound(kind) {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  const notes = { move: [[320, 0]], take: [[190, 0]], end: [[392, 0], [494, 0.13], [587, 0.26]] }[kind];
  for (const [pitch, after] of notes) note(pitch, context.currentTime + after, kind === "end" ? 0.35 : 0.09);
}

function note(pitch, start, length) {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, start);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(0.25, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + length + 0.02);
}

/** Whether pieces have left the board, from one view to the next. */
export function takes(before, after) {
  const count = ({ svg }) => svg.split('class="piece').length;
  return Boolean(before) && count(after) < count(before);
}
