(* A further target: the number of metafeatures never falls. *)
From mathcomp Require Import all_ssreflect.
Require Import Algorithm3.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Step.
Variables (V : finType) (TS : {set {set V}}) (T : {set V}).
Local Notation TS' := (T |: TS).
Local Notation N := (N TS).
Local Notation N' := (Algorithm3.N TS').
Local Notation cl := (cl TS).
Local Notation cl' := (Algorithm3.cl TS').

(* No arrow between them, in either direction. *)
Definition apart (F : {set {set V}}) :=
  [set e : V * V | ~~ (Algorithm3.N F e.1 \subset Algorithm3.N F e.2)
                && ~~ (Algorithm3.N F e.2 \subset Algorithm3.N F e.1)].

Lemma N'_sub x w : N' x \subset N' w -> N x \subset N w.
Proof.
move=> /subsetP h; apply/subsetP => U; rewrite !inE => /andP[hU hx].
by have := h U; rewrite !inE hU hx orbT => /(_ isT).
Qed.
Lemma N'_in x w : N' x \subset N' w -> x \in T -> w \in T.
Proof.
move=> /subsetP h hx; have := h T; rewrite !inE eqxx hx => /(_ isT).
by case/andP.
Qed.
Lemma N'_intro x w : N x \subset N w -> (x \in T -> w \in T) ->
  N' x \subset N' w.
Proof.
move=> /subsetP h hT; apply/subsetP => U; rewrite !inE.
case/andP=> [/orP[/eqP->|hU] hx]; first by rewrite eqxx (hT hx).
by have := h U; rewrite !inE hU hx orbT => /(_ isT).
Qed.
Lemma cl_inj (F : {set {set V}}) z w : Algorithm3.cl F z = Algorithm3.cl F w ->
  Algorithm3.N F z = Algorithm3.N F w.
Proof.
by move=> E; apply/eqP; rewrite eqEsubset -!clE {1}E -{2}E !mem_cl.
Qed.

Lemma apart_kept : apart TS \subset apart TS'.
Proof.
apply/subsetP => e; rewrite !inE => /andP[h1 h2].
by apply/andP; split; [apply: contra h1|apply: contra h2]; apply: N'_sub.
Qed.

(* An old metafeature keeps a descendant: outside T, if its class goes on there. *)
Definition descends (z : V) (p : {set V}) :=
  [&& cl z == p, [exists U in TS, minimal TS z U]
    & (z \in T) ==> [forall w, (cl w == p) ==> (w \in T)]].

Lemma descendant p : p \in M TS -> exists z, descends z p.
Proof.
case/imsetP=> z0; rewrite inE => /existsP[U /andP[hU hz0]] ->.
case: (boolP [forall w, (cl w == cl z0) ==> (w \in T)]) => h.
  exists z0; rewrite /descends eqxx h implybT andbT.
  by apply/existsP; exists U; rewrite hU.
case/forallPn: h => w; rewrite negb_imply => /andP[/eqP E hw]; exists w.
rewrite /descends E eqxx (negbTE hw) andbT /=; apply/existsP; exists U; rewrite hU /=.
have EN := cl_inj E; case/andP: hz0 => hz /forall_inP hmin.
rewrite /minimal (mem_sub hU _ hz) ?EN //=; apply/forall_inP => x hx.
exact: hmin.
Qed.

Lemma descends_minimal z p : descends z p -> cl' z \in M TS'.
Proof.
case/and3P=> [/eqP E /existsP[U /andP[hU /andP[hz /forall_inP hmin]]] /implyP h].
apply: imset_f; rewrite inE; apply/existsP; exists U; rewrite !inE hU orbT /=.
rewrite /minimal hz; apply/forall_inP => x hx; apply/negP => /properP[hs [W hW hn]].
have hxz := N'_sub hs; have := hmin x hx; rewrite properE hxz negbK => hzx.
move/negP: hn; apply; apply: (subsetP (N'_intro hzx _)) hW => hzT.
have /forallP/(_ x)/implyP := h hzT; apply; rewrite -E; apply/eqP/cl_eq/eqP.
by rewrite eqEsubset hxz.
Qed.

Lemma descends_inj z w p q : descends z p -> descends w q -> cl' z = cl' w -> p = q.
Proof.
case/and3P=> [/eqP<- _ _] /and3P[/eqP<- _ _] /cl_inj E.
by apply/cl_eq/eqP; rewrite eqEsubset !N'_sub // E.
Qed.

Definition heir p := if [pick z | descends z p] is Some z then cl' z else p.
Lemma heirP p : p \in M TS -> exists2 z, descends z p & heir p = cl' z.
Proof.
case/descendant=> z0 h0; rewrite /heir; case: pickP => [z hz|/(_ z0)].
  by exists z.
by rewrite h0.
Qed.
Lemma heir_card : #|heir @: M TS| = #|M TS|.
Proof.
apply: card_in_imset => p q /heirP[z hz ->] /heirP[w hw ->].
exact: descends_inj.
Qed.
Lemma heir_sub : heir @: M TS \subset M TS'.
Proof.
by apply/subsetP => _ /imsetP[p /heirP[z hz ->] ->]; apply: descends_minimal hz.
Qed.

(* The step that the printed proof leaves open. *)
Theorem monotone : #|M TS| <= #|M TS'|.
Proof. by rewrite -heir_card; apply: subset_leq_card heir_sub. Qed.

(* A variable of T that is minimal there, and no heir's, makes one more. *)
Lemma one_more u : u \in T ->
  (forall z, z \in T -> ~~ (N z \proper N u)) ->
  (forall z p, p \in M TS -> descends z p -> z \in T -> N z != N u) ->
  #|M TS| < #|M TS'|.
Proof.
move=> hu hmin hnew; rewrite -heir_card; apply: proper_card.
rewrite properE heir_sub /=; apply/subsetPn; exists (cl' u).
  apply: imset_f; rewrite inE; apply/existsP; exists T; rewrite !inE eqxx /minimal hu.
  apply/forall_inP => x hx; apply/negP => /properP[hs [W hW hn]].
  have := hmin x hx; rewrite properE (N'_sub hs) negbK => hux.
  by move/negP: hn; apply; apply: (subsetP (N'_intro hux _)) hW.
apply/negP => /imsetP[p hp]; case: (heirP hp) => z hz -> /cl_inj E.
have hzT : z \in T by apply: (@N'_in u); rewrite ?E.
have /negP := hnew z p hp hz hzT; apply.
by rewrite eqEsubset !N'_sub // E.
Qed.
End Step.
Print Assumptions monotone.
