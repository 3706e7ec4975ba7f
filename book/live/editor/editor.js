// The editor of a cell: CodeMirror 6 with what a short Python cell needs, and the page's own colours.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle, LanguageSupport, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The names are those of live.css, which has a colour for each on a light and on a dark page.
const colours = HighlightStyle.define([
  { tag: tags.comment, class: "live-comment" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], class: "live-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "live-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "live-number" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], class: "live-name" },
]);

export function edit({ parent, text, label, change, run, leave }) {
  const verb = act => () => { act(); return true; };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), indentUnit.of("    "),
        new LanguageSupport(pythonLanguage), syntaxHighlighting(colours),
        keymap.of([
          { key: "Ctrl-Enter", mac: "Cmd-Enter", run: verb(run) }, { key: "Ctrl-Enter", run: verb(run) },
          { key: "Shift-Enter", run: verb(run) }, { key: "Escape", run: verb(leave) },
          indentWithTab, ...historyKeymap, ...defaultKeymap,
        ]),
        EditorView.updateListener.of(update => { if (update.docChanged) change(update.state.doc.toString()); }),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
      ],
    }),
  });
  return { focus: () => view.focus(), destroy: () => view.destroy(), view };
}
