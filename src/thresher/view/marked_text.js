// A text with marks in it. All of it is text; a mark is a place in it.
export default {
  template: `<div><template v-for="piece in pieces"><mark v-if="piece.look" :class="piece.look">{{ piece.text }}</mark><template v-else>{{ piece.text }}</template></template></div>`,
  props: { text: String, found: Array, against: Array },
  computed: {
    pieces() {
      const letters = Array.from(this.text || ""); // offsets count letters, not halves of them
      const marks = [...(this.found || []).map((mark) => [...mark, "found"]), ...(this.against || []).map((mark) => [...mark, "against"])];
      marks.sort((one, other) => one[0] - other[0]);
      const pieces = [];
      let reached = 0;
      for (const [start, end, look] of marks) {
        if (start < reached) continue;
        if (start > reached) pieces.push({ text: letters.slice(reached, start).join("") });
        pieces.push({ text: letters.slice(start, end).join(""), look });
        reached = end;
      }
      pieces.push({ text: letters.slice(reached).join("") });
      return pieces;
    },
  },
};
