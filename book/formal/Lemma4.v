(* Lemma 4 of the paper, and what it says of Algorithm 3. *)
From mathcomp Require Import all_ssreflect.
Require Import Algorithm3.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Lemma4.
Variables (V : finType) (TS : {set {set V}}).
Implicit Types (x y z w : V) (T p q : {set V}) (P : seq {set V}).
Local Notation N := (N TS).
Local Notation cl := (cl TS).
Local Notation M := (M TS).
Local Notation run := (run TS).
Local Notation minimal := (minimal TS).

(* k metafeatures, each with an anchor, whose unions give all targets. *)
Variables (k : nat) (m : 'I_k -> {set V}) (y : 'I_k -> V).
Hypothesis anchored : forall i j, (y i \in m j) = (i == j).
Hypothesis unions : forall T, T \in TS ->
  exists J : {set 'I_k}, T = \bigcup_(j in J) m j.

Lemma anchor_sub T j : T \in TS -> y j \in T -> m j \subset T.
Proof.
case/unions=> J -> /bigcupP[i hi]; rewrite anchored => /eqP->.
exact: bigcup_sup hi.
Qed.
Lemma anchor_N j x : x \in m j -> N (y j) \subset N x.
Proof.
move=> hx; apply/subsetP => T; rewrite !inE => /andP[hT hy].
by rewrite hT (subsetP (anchor_sub hT hy)).
Qed.
Lemma minimal_anchor z T : T \in TS -> minimal z T ->
  exists j, cl z = cl (y j).
Proof.
move=> hT /andP[hz /forall_inP hmin]; case: (unions hT) => J E.
have : z \in \bigcup_(j in J) m j by rewrite -E.
case/bigcupP=> j hj hzj; exists j; apply: cl_eq; apply/eqP.
have hyz := anchor_N hzj; rewrite eqEsubset hyz andbT.
have /hmin : y j \in T.
  by rewrite E; apply/bigcupP; exists j; rewrite // anchored.
by rewrite properE hyz negbK.
Qed.

(* Lemma 4: t lists the distinct indices that belong to the pieces. *)
Theorem Lemma4 P : run P -> exists t : seq 'I_k,
  [/\ uniq t, P = [seq cl (y j) | j <- t], size P <= k
    & forall j, j \in t ->
      [/\ m j \subset cl (y j),
          forall T, T \in TS -> m j \subset T -> cl (y j) \subset T
        & forall i, y i \in cl (y j) -> m i \subset cl (y j)]].
Proof.
move=> hP; have [t E] : exists t, P = [seq cl (y j) | j <- t].
  elim: hP => [|{}P T z hP [t E] hT hz h]; first by exists [::].
  have [j Ej] := minimal_anchor hT (chosen_minimal hP hT hz h).
  by exists (j :: t); rewrite /= Ej E.
have U : uniq t by move: (run_uniq hP); rewrite E; apply: map_uniq.
exists t; split=> //.
  by rewrite E size_map -(card_uniqP U) -[X in _ <= X]card_ord max_card.
move=> j _; split.
- by apply/subsetP => x /anchor_N; rewrite clE.
- by move=> T hT /subsetP h; apply: cl_sub => //; apply: h; rewrite anchored.
- by move=> i; rewrite clE => h; apply/subsetP => x /anchor_N hx;
    rewrite clE (subset_trans h).
Qed.

Theorem least : #|M| <= k.
Proof.
have /subset_leq_card h : M \subset [set cl (y j) | j in 'I_k].
  apply/subsetP=> p /imsetP[z]; rewrite inE => /existsP[T /andP[hT hz]] ->.
  by have [j ->] := minimal_anchor hT hz; apply: imset_f.
by apply: leq_trans h _; rewrite -[X in _ <= X]card_ord; apply: leq_imset_card.
Qed.

(* Algorithm 3 itself: at most k pieces, and every target is their union. *)
Theorem Lemma4_algorithm :
  size (algorithm3 TS) <= k /\ represents TS (algorithm3 TS).
Proof.
have [hP hR] := algorithm3_stops TS; split=> //.
by have [t [_ _ h _]] := Lemma4 hP.
Qed.
End Lemma4.
Print Assumptions Lemma4.
Print Assumptions Lemma4_algorithm.
