/** Signs that a write starts work which a read tells, with their weights. */

/** Weights by sign, made by reading labelled writes and by comparison with a regression over half of them. */
export const WEIGHTS = {
  // the write
  /** Answers with 202. */
  accepted: 2,
  /** A text says that the work goes on after the response. */
  goesOn: 2,
  /** A text of a response says that something was accepted or started. */
  saysAccepted: 1,
  /** Its name, its summary or its path has a verb that starts work. */
  startVerb: 1,
  /** Its path ends with the noun of a job. */
  jobPath: 1,
  /** A text says that it returns when the work is done. */
  atOnce: -8,
  /** Only looks at what it is given. */
  checks: -8,
  update: -3,
  notPost: -1,
  /** Creates a thing whose state people decide. */
  lastingPath: -2,
  /** Creates a thing that only says what is to be done later. */
  definition: -3,
  /** Sets a state. */
  setsStatus: -5,
  // the state that the read returns
  /** Values that go on, and values of an end. */
  described: 2,
  /** Only values of an end. */
  endsOnly: 0.5,
  /** Values that go on, and values of a thing in use: `new` and `active`. */
  settles: 0.5,
  /** Values of a failure. */
  fails: 1,
  /** A value of what a machine is doing. */
  moves: 0.5,
  /** A value of a thing that a machine sets up. */
  setsUp: 0.5,
  /** `ended` is the only end, as that of a stream or a meeting. */
  ends: -2,
  /** A value that a person ends. */
  personal: -2.5,
  /** A text without documented values. */
  plain: 1,
  /** An example that is the word of a state. */
  example: 0.5,
  flag: 1.5,
  /** Inside another object. */
  deep: -0.3,
  /** A name of its own, such as `requestState`. */
  ownName: -0.2,
  /** The read answers with 202 until the work is done. */
  readAccepted: 2,
  /** Nothing else tells its state. */
  acceptedOnly: -1,
  /** The path or the name of the read is that of a state. */
  statePath: 1,
  /** An error, a result or an end beside the state. */
  outcome: 1,
  /** The thing is a job by its name. */
  jobThing: 1,
  /** The thing is one whose state people decide. */
  lastingThing: -1,
  // the way between them
  /** The response has the ID under the name that the read takes, or that of its thing. */
  namedId: 3,
  /** The response has the ID of a thing with the schema of the read, or right below the path. */
  ownId: 3,
  /** The response has an ID under another name. */
  otherId: 2,
  /** The read is that of the thing in the path of the call. */
  place: 2,
  /** Does the work again that the read tells. */
  again: 1,
  /** The same path. */
  samePath: 0.5,
  /** The read needs nothing. */
  alone: -0.5,
  /** The response names its ID as that of a job. */
  handle: 2,
  /** The response identifies nothing but what another read reads by the same name. */
  onlyHandle: 2,
  /** A text says that the ID tells how the work stands. */
  toldHandle: 2,
  /** The read is right below the path of the write. */
  child: 1,
  /** The call returns something else than the thing that is read. */
  otherResult: -2,
  /** The read is of another thing than the path of the write. */
  otherThing: -0.5,
  /** The response has the state. */
  started: 1,
  /** It has the state, and the read has values of each stage and an outcome. */
  startedWhole: 0.5,
  /** The caller sets the state. */
  callerSets: -6,
  /** Another request starts the thing, or tells how it ended. */
  startedLater: -5,
  /** None of the signs of work by a word. */
  unnamed: -1,
  /** A job that people do too, without a sign of a start. */
  unsure: -3,
  /** A text of the write names the read. */
  named: 2,
} as const;

export type Sign = keyof typeof WEIGHTS;

/** Signs that are there. */
export const signsOf = (signs: { readonly [sign in Sign]?: boolean }): readonly Sign[] =>
  (Object.keys(signs) as readonly Sign[]).filter((sign) => signs[sign]);

/** Sum of the weights of signs. */
export const weigh = (signs: readonly Sign[]): number =>
  signs.reduce((sum, sign) => sum + WEIGHTS[sign], 0);
